package dev.levee.operators.placement.graph;

import java.util.ArrayList;
import java.util.List;

/**
 * Baechi's coplacement: an operator with a single reader joins the colocation group of this reader.
 * Whole chains become one group in this way, which suits graphs with many small operators.
 */
public final class Coplacement {
    private Coplacement() {}

    /** The graph with larger groups. Operators that are bound to different devices stay apart. */
    public static OperatorGraph of(OperatorGraph graph) {
        int size = graph.size();
        int[] leader = new int[size];
        String[] device = new String[size];
        for (int id = 0; id < size; id++) {
            leader[id] = id;
            device[id] = graph.operator(id).device();
        }
        for (int group = 0; group < graph.groups(); group++) {
            for (int member : graph.members(group)) {
                join(leader, device, graph.members(group)[0], member);
            }
        }
        for (int id = 0; id < size; id++) {
            if (graph.out(id).length == 1) {
                join(leader, device, graph.to(graph.out(id)[0]), id);
            }
        }
        int[] count = new int[size];
        for (int id = 0; id < size; id++) {
            count[find(leader, id)]++;
        }
        List<Operator> operators = new ArrayList<>();
        for (int id = 0; id < size; id++) {
            int top = find(leader, id);
            Operator operator = graph.operator(id);
            // A group may have the name of an operator, so it gets that of one of its own.
            operators.add(
                    count[top] == 1 && operator.group() == null
                            ? operator
                            : operator.withGroup(graph.operator(top).name()));
        }
        return graph.with(operators);
    }

    private static int find(int[] leader, int id) {
        int top = id;
        while (leader[top] != top) {
            leader[top] = leader[leader[top]];
            top = leader[top];
        }
        return top;
    }

    private static void join(int[] leader, String[] device, int one, int other) {
        int a = find(leader, one);
        int b = find(leader, other);
        boolean apart = device[a] != null && device[b] != null && !device[a].equals(device[b]);
        if (a != b && !apart) {
            leader[b] = a;
            device[a] = device[a] == null ? device[b] : device[a];
        }
    }
}

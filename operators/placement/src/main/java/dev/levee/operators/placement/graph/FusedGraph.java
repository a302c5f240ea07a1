package dev.levee.operators.placement.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A graph in which neighbors of a colocation group are fused into one operator, as in Baechi's
 * code. Neighbors are not fused if the producer has other readers and the reader has other
 * producers, because that might create a cycle. Compute time and persistent memory add up;
 * temporary memory is the maximum. An output remains if an operator outside the group reads it, or
 * if none does.
 */
public final class FusedGraph {
    private final OperatorGraph graph;
    private final int[][] members;

    private FusedGraph(OperatorGraph graph, int[][] members) {
        this.graph = graph;
        this.members = members;
    }

    /** The fused graph. */
    public OperatorGraph graph() {
        return graph;
    }

    /**
     * Converts the order of fused operators on each device to the order of the original operators.
     */
    public int[][] expand(int[][] sequences) {
        return Arrays.stream(sequences)
                .map(
                        sequence ->
                                Arrays.stream(sequence)
                                        .flatMap(id -> Arrays.stream(members[id]))
                                        .toArray())
                .toArray(int[][]::new);
    }

    /** The original operators of a fused one, in order. */
    int[] members(int id) {
        return members[id].clone();
    }

    /** Fuses a graph. */
    public static FusedGraph of(OperatorGraph whole) {
        int size = whole.size();
        List<Set<Integer>> successors = new ArrayList<>();
        List<Set<Integer>> predecessors = new ArrayList<>();
        int[] into = new int[size];
        for (int id = 0; id < size; id++) {
            into[id] = id;
            successors.add(new LinkedHashSet<>());
            predecessors.add(new LinkedHashSet<>());
            for (int edge : whole.out(id)) {
                successors.get(id).add(whole.to(edge));
            }
            for (int edge : whole.in(id)) {
                predecessors.get(id).add(whole.from(edge));
            }
        }
        for (int group = 0; group < whole.groups(); group++) {
            Deque<int[]> candidates = new ArrayDeque<>();
            for (int id : whole.members(group)) {
                for (int next : successors.get(id)) {
                    if (whole.group(next) == group) {
                        candidates.add(new int[] {id, next});
                    }
                }
            }
            while (!candidates.isEmpty()) {
                int[] pair = candidates.poll();
                int first = pair[0];
                int second = pair[1];
                if (into[first] == first
                        && into[second] == second
                        && successors.get(first).contains(second)
                        && (successors.get(first).size() == 1
                                || predecessors.get(second).size() == 1)) {
                    fuse(first, second, successors, predecessors);
                    into[second] = first;
                    for (int next : successors.get(first)) {
                        if (whole.group(next) == group) {
                            candidates.add(new int[] {first, next});
                        }
                    }
                    for (int before : predecessors.get(first)) {
                        if (whole.group(before) == group) {
                            candidates.add(new int[] {before, first});
                        }
                    }
                }
            }
        }
        return build(whole, into);
    }

    private static void fuse(
            int first, int second, List<Set<Integer>> successors, List<Set<Integer>> predecessors) {
        successors.get(first).remove(second);
        predecessors.get(second).remove(first);
        for (int next : successors.get(second)) {
            predecessors.get(next).remove(second);
            predecessors.get(next).add(first);
            successors.get(first).add(next);
        }
        for (int before : predecessors.get(second)) {
            successors.get(before).remove(second);
            successors.get(before).add(first);
            predecessors.get(first).add(before);
        }
    }

    private static FusedGraph build(OperatorGraph whole, int[] into) {
        int size = whole.size();
        int[] root = new int[size];
        int[] number = new int[size];
        List<List<Integer>> members = new ArrayList<>();
        for (int id = 0; id < size; id++) {
            int top = id;
            while (into[top] != top) {
                top = into[top];
            }
            root[id] = top;
            if (top == id) {
                number[id] = members.size();
                members.add(new ArrayList<>());
            }
        }
        int[] position = new int[size];
        for (int i = 0; i < size; i++) {
            position[whole.order()[i]] = i;
        }
        for (int id = 0; id < size; id++) {
            members.get(number[root[id]]).add(id);
        }
        members.forEach(list -> list.sort(Comparator.comparingInt(id -> position[id])));
        boolean[] read = new boolean[whole.outputs()];
        boolean[] outside = new boolean[whole.outputs()];
        for (int edge = 0; edge < whole.edges(); edge++) {
            for (int output : whole.carried(edge)) {
                read[output] = true;
                outside[output] |= root[whole.from(edge)] != root[whole.to(edge)];
            }
        }
        int[] place = new int[whole.outputs()];
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        for (List<Integer> each : members) {
            builder.add(fused(whole, each, read, outside, place));
        }
        for (int edge = 0; edge < whole.edges(); edge++) {
            int from = number[root[whole.from(edge)]];
            int to = number[root[whole.to(edge)]];
            if (from != to && whole.carried(edge).length == 0) {
                builder.before(from, to);
            } else if (from != to) {
                for (int output : whole.carried(edge)) {
                    builder.read(from, place[output], to);
                }
            }
        }
        return new FusedGraph(
                builder.build(),
                members.stream()
                        .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
                        .toArray(int[][]::new));
    }

    private static Operator fused(
            OperatorGraph whole,
            List<Integer> members,
            boolean[] read,
            boolean[] outside,
            int[] place) {
        double seconds = 0;
        long persistent = 0;
        long temporary = 0;
        String device = null;
        List<Output> outputs = new ArrayList<>();
        for (int id : members) {
            Operator each = whole.operator(id);
            seconds += each.seconds();
            persistent += each.persistent();
            temporary = Math.max(temporary, each.temporary());
            device = each.device() == null ? device : each.device();
            for (int o = 0; o < each.outputs().size(); o++) {
                int output = whole.firstOutput(id) + o;
                if (outside[output] || !read[output]) {
                    place[output] = outputs.size();
                    outputs.add(each.outputs().get(o));
                }
            }
        }
        Operator first = whole.operator(members.get(0));
        return new Operator(
                first.name(),
                seconds,
                persistent,
                temporary,
                outputs,
                first.group(),
                first.phase(),
                device);
    }
}

package dev.levee.operators.placement.graph;

import java.util.ArrayList;
import java.util.List;

/** Derives the graph of a training step from the graph of the forward pass. */
public final class TrainingStep {
    /** Suffix of the names of backward operators. */
    private static final String BACKWARD = ".backward";

    /** The id for an operator without a backward operator. */
    private static final int NONE = -1;

    private TrainingStep() {}

    /**
     * Returns a graph with a forward and a backward operator for each operator, colocated in pairs.
     * A backward operator reads the inputs and outputs of its forward operator, and a gradient from
     * each reader of these outputs. It produces a gradient of each input. Outputs are therefore
     * held until the backward pass. An operator without inputs and persistent memory, such as a
     * source of samples, has no backward operator.
     *
     * @param forward the forward pass, with the persistent memory of the training
     * @param ratio time of a backward operator relative to its forward operator
     */
    public static OperatorGraph of(OperatorGraph forward, double ratio) {
        OperatorGraph.Builder graph = new OperatorGraph.Builder();
        for (Operator each : forward.operators()) {
            graph.add(each.withGroup(group(each)));
        }
        int[] backward = new int[forward.size()];
        int[] order = forward.order();
        for (int i = order.length - 1; i >= 0; i--) {
            int id = order[i];
            backward[id] = trains(forward, id) ? graph.add(backward(forward, id, ratio)) : NONE;
        }
        for (int edge = 0; edge < forward.edges(); edge++) {
            graph.before(forward.from(edge), forward.to(edge));
            for (int output : forward.carried(edge)) {
                graph.read(forward.from(edge), forward.place(output), forward.to(edge));
            }
        }
        for (int id = 0; id < forward.size(); id++) {
            if (backward[id] != NONE) {
                connect(graph, forward, id, backward);
            }
        }
        return graph.build();
    }

    private static boolean trains(OperatorGraph forward, int id) {
        return forward.in(id).length > 0 || forward.operator(id).persistent() > 0;
    }

    private static String group(Operator operator) {
        return operator.group() == null ? "passes of " + operator.name() : operator.group();
    }

    private static Operator backward(OperatorGraph forward, int id, double ratio) {
        Operator operator = forward.operator(id);
        List<Output> gradients = new ArrayList<>();
        for (int edge : forward.in(id)) {
            for (int output : gradients(forward, edge)) {
                gradients.add(Output.of(forward.bytes(output)));
            }
        }
        return new Operator(
                operator.name() + BACKWARD,
                operator.seconds() * ratio,
                0,
                operator.temporary(),
                gradients,
                group(operator),
                PassDirection.BACKWARD,
                operator.device());
    }

    private static void connect(
            OperatorGraph.Builder graph, OperatorGraph forward, int id, int[] backward) {
        graph.before(id, backward[id]);
        for (int output = 0; output < forward.operator(id).outputs().size(); output++) {
            graph.read(id, output, backward[id]);
        }
        int gradient = 0;
        for (int edge : forward.in(id)) {
            int from = forward.from(edge);
            for (int output : forward.carried(edge)) {
                graph.read(from, forward.place(output), backward[id]);
            }
            if (backward[from] != NONE) {
                graph.before(backward[id], backward[from]);
            }
            for (int i = 0; i < gradients(forward, edge).length; i++) {
                graph.read(backward[id], gradient, backward[from]);
                gradient++;
            }
        }
    }

    /** The outputs on an edge whose gradients are needed. */
    private static int[] gradients(OperatorGraph forward, int edge) {
        return trains(forward, forward.from(edge)) ? forward.carried(edge) : new int[0];
    }
}

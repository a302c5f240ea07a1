package dev.levee.operators.placement;

import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.graph.Output;
import dev.levee.operators.placement.graph.PassDirection;

import java.util.List;

/**
 * Splits the batch of a step into micro-batches: it makes one copy of the graph per micro-batch,
 * with times, outputs and temporary memory divided accordingly. Persistent memory is counted once.
 */
final class MicroBatches {
    private MicroBatches() {}

    /** The graph of all micro-batches; operator v of micro-batch b has the id b·size + v. */
    static OperatorGraph expand(OperatorGraph graph, int count) {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        for (int b = 0; b < count; b++) {
            for (Operator each : graph.operators()) {
                Operator part = part(each, each.name() + "#" + b, count);
                builder.add(b == 0 ? part : part.withPersistent(0));
            }
        }
        for (int b = 0; b < count; b++) {
            connect(builder, graph, b * graph.size());
        }
        return builder.build();
    }

    /**
     * The graph of one micro-batch, for placement. Outputs that forward operators hold for other
     * micro-batches count as persistent.
     *
     * @param held micro-batches whose activations a device holds at once
     */
    static OperatorGraph one(OperatorGraph graph, int count, int held) {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        for (Operator each : graph.operators()) {
            Operator part = part(each, each.name(), count);
            long others =
                    each.phase() == PassDirection.FORWARD ? (held - 1L) * part.outputBytes() : 0;
            builder.add(
                    part.withGroup(each.group())
                            .withDevice(each.device())
                            .withPersistent(each.persistent() + others));
        }
        connect(builder, graph, 0);
        return builder.build();
    }

    private static Operator part(Operator whole, String name, int count) {
        List<Output> outputs =
                whole.outputs().stream()
                        .map(o -> new Output(part(o.bytes(), count), o.persistent()))
                        .toList();
        return new Operator(
                name,
                whole.seconds() / count,
                whole.persistent(),
                part(whole.temporary(), count),
                outputs,
                null,
                whole.phase(),
                null);
    }

    /** Adds the edges of a graph to a builder, in which the graph's operators start at an id. */
    static OperatorGraph.Builder connect(
            OperatorGraph.Builder builder, OperatorGraph graph, int first) {
        for (int edge = 0; edge < graph.edges(); edge++) {
            int from = first + graph.from(edge);
            int to = first + graph.to(edge);
            builder.before(from, to);
            for (int output : graph.carried(edge)) {
                builder.read(from, graph.place(output), to);
            }
        }
        return builder;
    }

    private static long part(long bytes, int count) {
        return (bytes + count - 1) / count;
    }

    /** The devices of the operators of all copies. */
    static int[] devices(int[] devices, int count) {
        int[] all = new int[devices.length * count];
        for (int b = 0; b < count; b++) {
            System.arraycopy(devices, 0, all, b * devices.length, devices.length);
        }
        return all;
    }
}

package dev.levee.operators.placement;

import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.graph.Output;

import java.util.List;

/**
 * A step whose batch is cut into micro-batches: as many copies of the graph, in each of which
 * times, outputs and temporary memory are that part of the whole. Persistent memory is there once.
 */
final class MicroBatches {
    private MicroBatches() {}

    /** The graph of all micro-batches; operator v of micro-batch b has the id b·size + v. */
    static OperatorGraph expand(OperatorGraph graph, int count) {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        for (int b = 0; b < count; b++) {
            for (Operator each : graph.operators()) {
                List<Output> outputs =
                        each.outputs().stream()
                                .map(o -> new Output(part(o.bytes(), count), o.persistent()))
                                .toList();
                builder.add(
                        new Operator(
                                each.name() + "#" + b,
                                each.seconds() / count,
                                b == 0 ? each.persistent() : 0,
                                part(each.temporary(), count),
                                outputs,
                                null,
                                each.phase(),
                                null));
            }
        }
        for (int b = 0; b < count; b++) {
            int first = b * graph.size();
            for (int edge = 0; edge < graph.edges(); edge++) {
                int from = first + graph.from(edge);
                int to = first + graph.to(edge);
                builder.before(from, to);
                for (int output : graph.carried(edge)) {
                    builder.read(from, graph.place(output), to);
                }
            }
        }
        return builder.build();
    }

    private static long part(long bytes, int count) {
        return (bytes + count - 1) / count;
    }

    /** The devices of all copies. */
    static int[] devices(int[] devices, int count) {
        int[] all = new int[devices.length * count];
        for (int b = 0; b < count; b++) {
            System.arraycopy(devices, 0, all, b * devices.length, devices.length);
        }
        return all;
    }
}

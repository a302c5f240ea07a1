package dev.levee.operators.placement;

import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.HandlingCost;
import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;

import java.util.BitSet;

/**
 * Adds the processor time of transfers ({@link HandlingCost}) to the operators of a placed graph.
 * The time of sending is added to the operator that produces an output, once for each device that
 * receives it. The time of receiving is added to the first operator that reads the output there.
 */
final class HandledGraph {
    private HandledGraph() {}

    /**
     * Returns the graph with these times added and the same ids.
     *
     * @param devices the device of each operator
     */
    static OperatorGraph of(OperatorGraph graph, DeviceCluster cluster, int[] devices) {
        HandlingCost handling = cluster.handling();
        if (handling.equals(HandlingCost.NONE)) {
            return graph;
        }
        double[] seconds = new double[graph.size()];
        BitSet sent = new BitSet();
        for (int reader : graph.order()) {
            for (int edge : graph.in(reader)) {
                int producer = graph.from(edge);
                if (devices[producer] == devices[reader]) {
                    continue;
                }
                for (int output : graph.carried(edge)) {
                    int transfer = output * cluster.size() + devices[reader];
                    if (!sent.get(transfer)) {
                        sent.set(transfer);
                        double each = handling.seconds(graph.bytes(output));
                        seconds[producer] += each;
                        seconds[reader] += each;
                    }
                }
            }
        }
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        for (int id = 0; id < graph.size(); id++) {
            Operator operator = graph.operator(id);
            builder.add(operator.withSeconds(operator.seconds() + seconds[id]));
        }
        return MicroBatches.connect(builder, graph, 0).build();
    }
}

package dev.levee.operators.placement;

import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.HandlingCost;
import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Adds the processor time of transfers ({@link HandlingCost}) to the operators of a placed graph.
 * The time of sending is added to the operator that produces an output, once for each device that
 * receives it. The time of receiving is added to the first operator that reads the output there, in
 * the order in which operators run.
 */
final class HandledGraph {
    private record Arrival(int output, int device) {}

    private HandledGraph() {}

    /**
     * Returns the graph with these times added and the same ids.
     *
     * @param devices the device of each operator
     * @param sequences the operators of each device, in the order in which they run
     */
    static OperatorGraph of(
            OperatorGraph graph, DeviceCluster cluster, int[] devices, int[][] sequences) {
        HandlingCost handling = cluster.handling();
        if (handling.equals(HandlingCost.NONE)) {
            return graph;
        }
        int[] position = new int[graph.size()];
        for (int[] sequence : sequences) {
            for (int i = 0; i < sequence.length; i++) {
                position[sequence[i]] = i;
            }
        }
        Map<Arrival, Integer> firstReaders = new LinkedHashMap<>();
        for (int reader : graph.order()) {
            for (int edge : graph.in(reader)) {
                for (int output : graph.carried(edge)) {
                    if (devices[graph.from(edge)] != devices[reader]) {
                        firstReaders.merge(
                                new Arrival(output, devices[reader]),
                                reader,
                                (a, b) -> position[a] < position[b] ? a : b);
                    }
                }
            }
        }
        double[] seconds = new double[graph.size()];
        firstReaders.forEach(
                (arrival, reader) -> {
                    double each = handling.seconds(graph.bytes(arrival.output()));
                    seconds[graph.producer(arrival.output())] += each;
                    seconds[reader] += each;
                });
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        for (int id = 0; id < graph.size(); id++) {
            Operator operator = graph.operator(id);
            builder.add(operator.withSeconds(operator.seconds() + seconds[id]));
        }
        return MicroBatches.connect(builder, graph, 0).build();
    }
}

package dev.levee.operators.placement.schedule;

import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.graph.Transfers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Computes the arrival times of outputs. An output is sent once to each device that reads it. */
final class LinkClock {
    private final OperatorGraph graph;
    private final DeviceCluster cluster;
    private final boolean sequential;
    private final int devices;
    private final double[] arrived;
    private final double[] channel;
    private final double[] trial;
    private final List<Transfer> transfers = new ArrayList<>();

    LinkClock(OperatorGraph graph, DeviceCluster cluster) {
        this.graph = graph;
        this.cluster = cluster;
        this.sequential = cluster.transfers() == Transfers.SEQUENTIAL;
        this.devices = cluster.size();
        arrived = new double[graph.outputs() * devices];
        Arrays.fill(arrived, Double.NaN);
        channel = new double[devices];
        trial = new double[devices];
    }

    /** True if a transfer may delay others. */
    boolean sequential() {
        return sequential;
    }

    /**
     * The time at which all inputs of an operator would be on a device if they were sent next.
     *
     * @param device devices of all predecessors
     * @param end end times of all predecessors
     */
    double arrival(int id, int on, int[] device, double[] end) {
        System.arraycopy(channel, 0, trial, 0, devices);
        return send(id, on, device, end, trial, false);
    }

    /** Sends the inputs of an operator to a device, and returns when all have arrived. */
    double send(int id, int on, int[] device, double[] end) {
        return send(id, on, device, end, channel, true);
    }

    List<Transfer> transfers() {
        return transfers;
    }

    private double send(
            int id, int on, int[] device, double[] end, double[] channels, boolean really) {
        double latest = 0;
        for (int edge : graph.in(id)) {
            int producer = graph.from(edge);
            int source = device[producer];
            if (source == on || graph.carried(edge).length == 0) {
                latest = Math.max(latest, end[producer]);
                continue;
            }
            for (int output : graph.carried(edge)) {
                double at = arrived[output * devices + on];
                if (Double.isNaN(at)) {
                    double seconds = cluster.seconds(source, on, graph.bytes(output));
                    double begin = end[producer];
                    at = begin + seconds;
                    if (sequential) {
                        begin = Math.max(begin, channels[source]);
                        channels[source] = begin + seconds;
                        at = Math.max(begin, channels[on]) + seconds;
                        channels[on] = at;
                    }
                    if (really) {
                        arrived[output * devices + on] = at;
                        transfers.add(new Transfer(output, source, on, begin, at));
                    }
                }
                latest = Math.max(latest, at);
            }
        }
        return latest;
    }
}

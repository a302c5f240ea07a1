package dev.levee.operators.placement.schedule;

import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;

import java.util.OptionalDouble;

/**
 * Lower bounds of all schedules, and SCT's approximation ratio.
 *
 * @param criticalPath seconds of the longest path without transfers, on the fastest device
 * @param work seconds of all operators, divided perfectly among all devices
 * @param rho the longest transfer over the shortest operator; infinite if an operator takes no time
 */
public record Bounds(double criticalPath, double work, double rho) {
    /** The bounds of a graph on a cluster. */
    public static Bounds of(OperatorGraph graph, DeviceCluster cluster) {
        double[] end = new double[graph.size()];
        double longest = 0;
        double sum = 0;
        double shortest = Double.POSITIVE_INFINITY;
        for (int id : graph.order()) {
            double begin = 0;
            for (int edge : graph.in(id)) {
                begin = Math.max(begin, end[graph.from(edge)]);
            }
            Operator operator = graph.operator(id);
            end[id] = begin + operator.seconds() / cluster.topSpeed();
            longest = Math.max(longest, end[id]);
            sum += operator.seconds();
            shortest = Math.min(shortest, operator.seconds() / cluster.topSpeed());
        }
        double transfer = 0;
        for (int edge = 0; edge < graph.edges(); edge++) {
            double seconds = 0;
            for (int output : graph.carried(edge)) {
                seconds += cluster.mostSeconds(graph.bytes(output));
            }
            transfer = Math.max(transfer, seconds);
        }
        double rho = transfer == 0 ? 0 : transfer / shortest;
        return new Bounds(longest, sum / cluster.totalSpeed(), rho);
    }

    /** Lower bound of the seconds of any schedule. */
    public double lowerBound() {
        return Math.max(criticalPath, work);
    }

    /**
     * Largest ratio of SCT's makespan to the optimum, with any number of equal devices and enough
     * memory: (2 + 2ρ) / (2 + ρ) for ρ ≤ 1 (Hanen and Munier 1995). Empty for ρ &gt; 1.
     */
    public OptionalDouble sct() {
        return rho <= 1 ? OptionalDouble.of((2 + 2 * rho) / (2 + rho)) : OptionalDouble.empty();
    }
}

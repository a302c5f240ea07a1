package dev.levee.operators.placement.algorithm;

import dev.levee.operators.placement.graph.Device;
import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.schedule.InfeasibleException;
import dev.levee.operators.placement.schedule.ListScheduler;
import dev.levee.operators.placement.schedule.OperatorSchedule;

import java.util.Arrays;

/**
 * Baechi's m-TOPO: fills one device after another in topological order and never goes back. The
 * memory of a device is the sum of its operators' needs. A colocation group counts as one operator
 * and is placed with its first operator.
 *
 * @param full true to fill each device up to its own memory. Otherwise devices are filled up to an
 *     even share of the needed memory, ⌊Σ / devices⌋ on equal devices, plus the need of the largest
 *     operator; larger devices take over what does not fit on smaller ones
 */
public record MTopo(boolean full) implements Placer {
    @Override
    public OperatorSchedule place(OperatorGraph graph, DeviceCluster cluster)
            throws InfeasibleException {
        PlacementUnits units = PlacementUnits.of(graph);
        long[] caps = caps(graph, cluster, units);
        int[] bound = units.bound(graph, cluster);
        long[] used = new long[cluster.size()];
        int[] devices = new int[units.size()];
        for (int u = 0; u < units.size(); u++) {
            if (bound[u] >= 0) {
                used[bound[u]] += units.bytes(graph, u);
            }
        }
        int current = 0;
        for (int u = 0; u < units.size(); u++) {
            long bytes = units.bytes(graph, u);
            if (bound[u] >= 0) {
                devices[u] = bound[u];
                if (used[bound[u]] > cluster.device(bound[u]).memory()) {
                    throw infeasible(graph, units, u);
                }
                continue;
            }
            while (current < caps.length && used[current] + bytes > caps[current]) {
                current++;
            }
            if (current == caps.length) {
                throw infeasible(graph, units, u);
            }
            used[current] += bytes;
            devices[u] = current;
        }
        return ListScheduler.run(graph, cluster, ListScheduler.Rules.on(units.spread(devices)));
    }

    private static InfeasibleException infeasible(
            OperatorGraph graph, PlacementUnits units, int unit) {
        return new InfeasibleException(
                graph.operator(units.members().get(unit)[0]).name(), units.bytes(graph, unit));
    }

    private long[] caps(OperatorGraph graph, DeviceCluster cluster, PlacementUnits units) {
        long[] memory = cluster.devices().stream().mapToLong(Device::memory).toArray();
        if (full) {
            return memory;
        }
        long left = 0;
        long largest = 0;
        for (int u = 0; u < units.size(); u++) {
            long bytes = units.bytes(graph, u);
            left += bytes;
            largest = Math.max(largest, bytes);
        }
        long share = Long.MAX_VALUE / 2;
        long[] ascending = memory.clone();
        Arrays.sort(ascending);
        for (int i = 0; i < ascending.length; i++) {
            long even = left / (ascending.length - i);
            if (ascending[i] >= even) {
                share = even;
                break;
            }
            left -= ascending[i];
        }
        long[] caps = new long[memory.length];
        for (int d = 0; d < caps.length; d++) {
            caps[d] = Math.min(memory[d], share + largest);
        }
        return caps;
    }
}

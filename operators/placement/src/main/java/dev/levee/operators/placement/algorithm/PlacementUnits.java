package dev.levee.operators.placement.algorithm;

import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.OperatorGraph;

import java.util.ArrayList;
import java.util.List;

/**
 * The units of placement: single operators without a group, and whole colocation groups, in the
 * topological order of their first operators.
 *
 * @param members operators of each unit in topological order
 * @param unit the unit of each operator
 */
record PlacementUnits(List<int[]> members, int[] unit) {
    static PlacementUnits of(OperatorGraph graph) {
        List<List<Integer>> lists = new ArrayList<>();
        int[] unit = new int[graph.size()];
        int[] ofGroup = new int[graph.groups()];
        for (int id : graph.order()) {
            int group = graph.group(id);
            if (group >= 0 && ofGroup[group] > 0) {
                unit[id] = ofGroup[group] - 1;
            } else {
                unit[id] = lists.size();
                lists.add(new ArrayList<>());
                if (group >= 0) {
                    ofGroup[group] = lists.size();
                }
            }
            lists.get(unit[id]).add(id);
        }
        return new PlacementUnits(
                lists.stream()
                        .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
                        .toList(),
                unit);
    }

    int size() {
        return members.size();
    }

    /** Sum of all bytes that a unit needs. */
    long bytes(OperatorGraph graph, int number) {
        long sum = 0;
        for (int id : members.get(number)) {
            sum += graph.operator(id).allBytes();
        }
        return sum;
    }

    /** The device that each unit is bound to, or −1. */
    int[] bound(OperatorGraph graph, DeviceCluster cluster) {
        int[] ofOperators = graph.bound(cluster);
        return members.stream().mapToInt(each -> ofOperators[each[0]]).toArray();
    }

    /** Converts the device of each unit to the device of each operator. */
    int[] spread(int[] devices) {
        int[] spread = new int[unit.length];
        for (int id = 0; id < unit.length; id++) {
            spread[id] = devices[unit[id]];
        }
        return spread;
    }
}

package dev.levee.operators.placement.schedule;

import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.OperatorGraph;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The critical path of a schedule: a chain of operators and waits from its start to its end, in
 * which each part starts when the previous one ends.
 *
 * @param operators operators on the chain, in order
 * @param dependencies seconds of operators for whose result the next operator waited
 * @param devices seconds of operators that occupied a device for which the next operator waited
 * @param transfers seconds of waiting for transfers
 * @param memory seconds of waiting for memory
 */
public record CriticalPath(
        List<Integer> operators,
        double dependencies,
        double devices,
        double transfers,
        double memory) {
    /** The resource that limits a schedule. */
    public enum Limit {
        /** A chain of dependent operators, which more devices do not shorten. */
        DEPENDENCIES,
        /** Busy devices: more or faster devices help. */
        DEVICES,
        /** Transfers over links. */
        TRANSFERS,
        /** Memory that is freed too late. */
        MEMORY
    }

    public CriticalPath {
        operators = List.copyOf(operators);
    }

    /** Finds the critical path of a schedule. */
    public static CriticalPath of(
            OperatorGraph graph, DeviceCluster cluster, OperatorSchedule schedule) {
        int[] before = new int[graph.size()];
        for (int[] sequence : schedule.sequences(cluster.size())) {
            for (int i = 0; i < sequence.length; i++) {
                before[sequence[i]] = i == 0 ? -1 : sequence[i - 1];
            }
        }
        int id = 0;
        for (int each = 1; each < graph.size(); each++) {
            if (schedule.end(each) > schedule.end(id)) {
                id = each;
            }
        }
        List<Integer> chain = new ArrayList<>();
        double dependencies = schedule.end(id) - schedule.start(id);
        double devices = 0;
        double transfers = 0;
        double memory = 0;
        while (true) {
            chain.add(id);
            double start = schedule.start(id);
            int parent = latest(graph, schedule, id);
            int previous = before[id];
            double held = previous < 0 ? 0 : schedule.end(previous);
            double arrived = arrival(graph, schedule, id);
            if (parent >= 0 && arrived >= held && arrived >= start) {
                transfers += start - schedule.end(parent);
                dependencies += schedule.end(parent) - schedule.start(parent);
                id = parent;
            } else if (previous >= 0) {
                memory += start - held;
                devices += held - schedule.start(previous);
                id = previous;
            } else {
                memory += start;
                break;
            }
        }
        Collections.reverse(chain);
        return new CriticalPath(chain, dependencies, devices, transfers, memory);
    }

    /** The predecessor whose output arrives last, or −1. */
    private static int latest(OperatorGraph graph, OperatorSchedule schedule, int id) {
        int latest = -1;
        double at = -1;
        for (int edge : graph.in(id)) {
            double arrival = arrival(graph, schedule, edge, schedule.device(id));
            if (arrival > at) {
                at = arrival;
                latest = graph.from(edge);
            }
        }
        return latest;
    }

    private static double arrival(OperatorGraph graph, OperatorSchedule schedule, int id) {
        double latest = 0;
        for (int edge : graph.in(id)) {
            latest = Math.max(latest, arrival(graph, schedule, edge, schedule.device(id)));
        }
        return latest;
    }

    private static double arrival(
            OperatorGraph graph, OperatorSchedule schedule, int edge, int device) {
        int parent = graph.from(edge);
        double latest = schedule.end(parent);
        if (schedule.device(parent) != device) {
            for (int output : graph.carried(edge)) {
                latest = Math.max(latest, schedule.arrival(output, device));
            }
        }
        return latest;
    }

    /** The resource with the largest share of the time. */
    public Limit limit() {
        double most = Math.max(Math.max(dependencies, devices), Math.max(transfers, memory));
        if (most == dependencies) {
            return Limit.DEPENDENCIES;
        }
        if (most == devices) {
            return Limit.DEVICES;
        }
        return most == transfers ? Limit.TRANSFERS : Limit.MEMORY;
    }
}

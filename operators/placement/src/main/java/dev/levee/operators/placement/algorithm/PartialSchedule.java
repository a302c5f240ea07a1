package dev.levee.operators.placement.algorithm;

import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The operators that a search has placed so far, in the order of their starts, and their memory.
 */
final class PartialSchedule {
    final int[] device;
    final double[] start;
    final double[] end;
    final double[] free;
    final List<Integer> taken = new ArrayList<>();
    private final OperatorGraph graph;
    private final DeviceCluster cluster;

    PartialSchedule(OperatorGraph graph, DeviceCluster cluster) {
        this.graph = graph;
        this.cluster = cluster;
        device = new int[graph.size()];
        Arrays.fill(device, -1);
        start = new double[graph.size()];
        end = new double[graph.size()];
        free = new double[cluster.size()];
    }

    /** The time at which a device is free and has all inputs of an operator. */
    double arrival(int id, int d) {
        double latest = free[d];
        for (int edge : graph.in(id)) {
            int parent = graph.from(edge);
            latest = Math.max(latest, end[parent]);
            for (int output : graph.carried(edge)) {
                double sent = cluster.seconds(device[parent], d, graph.bytes(output));
                latest = Math.max(latest, end[parent] + sent);
            }
        }
        return latest;
    }

    /** The first time from {@code at} at which the device has room for an operator, or infinity. */
    double startIfRoom(int id, int d, double at) {
        long persistent = 0;
        boolean placed = false;
        for (int each = 0; each < graph.size(); each++) {
            boolean here = device[each] == d || (each != id && together(each, d));
            if (here
                    || each == id
                    || (graph.group(id) >= 0 && graph.group(each) == graph.group(id))) {
                persistent += graph.operator(each).persistent();
            }
            placed |= device[each] == d;
        }
        long limit = cluster.device(d).memory() - persistent;
        if (limit < 0 || (placed && most(d) > limit)) {
            return Double.POSITIVE_INFINITY;
        }
        double next = at;
        while (held(d, next) + graph.operator(id).runningBytes() > limit) {
            next = nextRelease(d, next);
            if (next == Double.POSITIVE_INFINITY) {
                return next;
            }
        }
        return next;
    }

    /** True if an operator is not placed yet, but its group is on the given device. */
    private boolean together(int id, int d) {
        if (device[id] >= 0 || graph.group(id) < 0) {
            return false;
        }
        for (int member : graph.members(graph.group(id))) {
            if (device[member] == d) {
                return true;
            }
        }
        return false;
    }

    /** Maximum non-persistent bytes held on a device at any start. */
    long most(int d) {
        long most = 0;
        for (int id : taken) {
            if (device[id] == d) {
                most = Math.max(most, heldWhen(id, d));
            }
        }
        return most;
    }

    private long heldWhen(int id, int d) {
        long sum = 0;
        for (int each : taken) {
            if (device[each] == d) {
                sum += each == id ? graph.operator(id).runningBytes() : still(each, start[id]);
            }
            if (each == id) {
                break;
            }
        }
        return sum;
    }

    /** Non-persistent bytes held on a device at a time. */
    private long held(int d, double at) {
        long sum = 0;
        for (int id : taken) {
            if (device[id] == d) {
                sum += still(id, at);
            }
        }
        return sum;
    }

    /** Non-persistent bytes of one operator that are held at a time. */
    private long still(int id, double at) {
        Operator operator = graph.operator(id);
        return (end[id] > at ? operator.temporary() : 0)
                + (lastRead(id) > at ? operator.outputBytes() : 0);
    }

    /**
     * The time at which the last reader of an operator ends; infinite until all readers are placed.
     */
    private double lastRead(int id) {
        double latest = graph.out(id).length == 0 ? Double.POSITIVE_INFINITY : 0;
        for (int edge : graph.out(id)) {
            int reader = graph.to(edge);
            latest = Math.max(latest, device[reader] < 0 ? Double.POSITIVE_INFINITY : end[reader]);
        }
        return latest;
    }

    private double nextRelease(int d, double at) {
        double next = Double.POSITIVE_INFINITY;
        for (int id : taken) {
            if (device[id] == d) {
                next = end[id] > at ? Math.min(next, end[id]) : next;
                next = lastRead(id) > at ? Math.min(next, lastRead(id)) : next;
            }
        }
        return next;
    }
}

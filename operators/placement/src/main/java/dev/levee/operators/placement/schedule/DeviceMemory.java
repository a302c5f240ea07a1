package dev.levee.operators.placement.schedule;

import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;

import java.util.Arrays;

/**
 * Tracks the memory of all devices. Because steps repeat, persistent memory is held from the start
 * of the step: that of operators whose device is known is counted from there. Another operator
 * therefore fits if its persistent memory fits in addition to the maximum use so far, and its total
 * need fits in addition to the current use.
 */
final class DeviceMemory {
    private final OperatorGraph graph;
    private final boolean reserve;
    private final long[] limit;
    private final long[] resident;
    private final long[] taken;
    private final long[] most;
    private final boolean[] counted;
    private final int[] groupDevice;
    private final long[] groupPersistent;
    private final long[] groupRunning;
    private final long[] pool;
    private final int[] left;

    /**
     * Starts with empty memory.
     *
     * @param reserve true to reserve the largest temporary memory and the largest outputs of a
     *     colocation group when its first operator is placed
     */
    DeviceMemory(OperatorGraph graph, DeviceCluster cluster, boolean reserve) {
        this.graph = graph;
        this.reserve = reserve;
        int devices = cluster.size();
        limit = new long[devices];
        for (int d = 0; d < devices; d++) {
            limit[d] = cluster.device(d).memory();
        }
        resident = new long[devices];
        taken = new long[devices];
        most = new long[devices];
        counted = new boolean[graph.size()];
        int groups = graph.groups();
        groupDevice = new int[groups];
        Arrays.fill(groupDevice, -1);
        groupPersistent = new long[groups];
        groupRunning = new long[groups];
        pool = new long[groups];
        left = new int[groups];
        for (int g = 0; g < groups; g++) {
            long temporary = 0;
            long outputs = 0;
            for (int id : graph.members(g)) {
                Operator operator = graph.operator(id);
                groupPersistent[g] += operator.persistent();
                temporary = Math.max(temporary, operator.temporary());
                outputs = Math.max(outputs, operator.outputBytes());
            }
            groupRunning[g] = temporary + outputs;
            left[g] = graph.members(g).length;
        }
    }

    /**
     * Counts the persistent memory of operators whose device is known.
     *
     * @param devices the device of each operator, or −1
     * @throws InfeasibleException if a device has no room for it
     */
    void bind(int[] devices) throws InfeasibleException {
        for (int id = 0; id < devices.length; id++) {
            int on = devices[id];
            if (on >= 0) {
                if (!fits(id, on)) {
                    throw new InfeasibleException(graph.operator(id).name(), all(id));
                }
                count(id, on);
            }
        }
    }

    /** The device of a colocation group, or −1 if it is not known yet. */
    int deviceOf(int group) {
        return groupDevice[group];
    }

    /**
     * Persistent bytes added with an operator: its own, or those of its whole group with the first
     * one.
     */
    long persistent(int id) {
        int group = graph.group(id);
        if (group < 0) {
            return counted[id] ? 0 : graph.operator(id).persistent();
        }
        return groupDevice[group] < 0 ? groupPersistent[group] : 0;
    }

    /**
     * All bytes added with an operator: persistent bytes, and the bytes that it takes when it
     * starts.
     */
    long all(int id) {
        int group = graph.group(id);
        long running = graph.operator(id).runningBytes();
        if (reserves(group)) {
            running = groupRunning[group];
        } else if (group >= 0) {
            running = Math.max(0, running - pool[group]);
        }
        return persistent(id) + running;
    }

    /** True if the next operator of a colocation group reserves the memory of the group. */
    private boolean reserves(int group) {
        return reserve && group >= 0 && left[group] == graph.members(group).length;
    }

    /** Persistent bytes that fit in addition to the maximum use so far. */
    long persistentRoom(int device) {
        return limit[device] - resident[device] - most[device];
    }

    /** Bytes that are free now. */
    long room(int device) {
        return limit[device] - resident[device] - taken[device];
    }

    boolean fits(int id, int device) {
        return persistent(id) <= persistentRoom(device) && all(id) <= room(device);
    }

    /**
     * Places an operator that starts now. The first operator of a group also determines the device
     * and the memory of the group.
     */
    void start(int id, int device) {
        count(id, device);
        int group = graph.group(id);
        if (reserves(group)) {
            pool[group] = groupRunning[group];
            take(device, groupRunning[group]);
        }
        long bytes = graph.operator(id).runningBytes();
        if (group >= 0 && reserve) {
            long reserved = Math.min(pool[group], bytes);
            pool[group] -= reserved;
            bytes -= reserved;
            left[group]--;
        }
        take(device, bytes);
    }

    private void count(int id, int device) {
        resident[device] += persistent(id);
        counted[id] = true;
        if (graph.group(id) >= 0) {
            groupDevice[graph.group(id)] = device;
        }
    }

    private void take(int device, long bytes) {
        taken[device] += bytes;
        most[device] = Math.max(most[device], taken[device]);
    }

    /** Releases an operator's bytes. A group with operators left to start keeps its reservation. */
    void release(int id, int device, long bytes) {
        int group = graph.group(id);
        long back = bytes;
        if (group >= 0 && reserve && left[group] > 0) {
            long kept = Math.min(bytes, groupRunning[group] - pool[group]);
            pool[group] += kept;
            back -= kept;
        }
        taken[device] -= back;
    }

    /** Releases a group's reservation when its last operator has started. */
    void close(int id, int device) {
        int group = graph.group(id);
        if (group >= 0 && reserve && left[group] == 0) {
            taken[device] -= pool[group];
            pool[group] = 0;
        }
    }
}

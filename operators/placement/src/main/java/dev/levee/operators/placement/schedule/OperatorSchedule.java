package dev.levee.operators.placement.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The device, start and end of each operator. Immutable. */
public final class OperatorSchedule {
    private final int[] device;
    private final double[] start;
    private final double[] end;
    private final int[] order;
    private final List<Transfer> transfers;
    private final Map<Long, Double> arrivals = new HashMap<>();

    /**
     * Creates a schedule.
     *
     * @param order ids of all operators in the order in which they were started
     */
    OperatorSchedule(
            int[] device, double[] start, double[] end, int[] order, List<Transfer> transfers) {
        this.device = device;
        this.start = start;
        this.end = end;
        this.order = order;
        this.transfers = List.copyOf(transfers);
        for (Transfer each : transfers) {
            arrivals.put(key(each.output(), each.to()), each.end());
        }
    }

    private static long key(int output, int device) {
        return (long) output << 32 | device;
    }

    /** The time at which an output arrives at a device, in seconds; NaN if it is not sent there. */
    public double arrival(int output, int device) {
        return arrivals.getOrDefault(key(output, device), Double.NaN);
    }

    /** Number of operators. */
    public int size() {
        return device.length;
    }

    /** The device of an operator. */
    public int device(int id) {
        return device[id];
    }

    /** Devices of all operators by id. */
    public int[] devices() {
        return device.clone();
    }

    /** The start of an operator, in seconds. */
    public double start(int id) {
        return start[id];
    }

    /** The end of an operator, in seconds. */
    public double end(int id) {
        return end[id];
    }

    /** All transfers in the order in which they were decided. */
    public List<Transfer> transfers() {
        return transfers;
    }

    /** Seconds until the last operator ends. */
    public double makespan() {
        return Arrays.stream(end).max().orElse(0);
    }

    /**
     * The operators of each device, in the order in which they run. Operators that take no time run
     * in the order in which they were started, which is a topological one.
     *
     * @param devices number of devices
     */
    public int[][] sequences(int devices) {
        List<List<Integer>> lists = new ArrayList<>();
        for (int d = 0; d < devices; d++) {
            lists.add(new ArrayList<>());
        }
        for (int id : order) {
            lists.get(device[id]).add(id);
        }
        return lists.stream()
                .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
    }
}

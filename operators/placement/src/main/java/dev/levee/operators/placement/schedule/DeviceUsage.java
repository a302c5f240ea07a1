package dev.levee.operators.placement.schedule;

import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The usage of a device, computed from the schedule.
 *
 * @param operators number of operators
 * @param busy seconds in which an operator runs
 * @param persistent bytes of persistent memory
 * @param peak maximum bytes at once: persistent memory, outputs until their last reader has run,
 *     temporary memory
 * @param fullest the operator that starts at the peak, or −1
 * @param received maximum bytes at once of outputs from other devices, which neither Baechi nor
 *     {@code peak} counts
 */
public record DeviceUsage(
        int operators, double busy, long persistent, long peak, int fullest, long received) {
    private record Release(double time, long bytes) {}

    /** The usage of all devices. */
    public static DeviceUsage[] of(
            OperatorGraph graph, DeviceCluster cluster, OperatorSchedule schedule) {
        int[][] sequences = schedule.sequences(cluster.size());
        DeviceUsage[] usages = new DeviceUsage[cluster.size()];
        for (int d = 0; d < usages.length; d++) {
            usages[d] = of(graph, schedule, d, sequences[d]);
        }
        return usages;
    }

    private static DeviceUsage of(
            OperatorGraph graph, OperatorSchedule schedule, int d, int[] sequence) {
        PriorityQueue<Release> releases =
                new PriorityQueue<>(Comparator.comparingDouble(Release::time));
        double busy = 0;
        long persistent = 0;
        long taken = 0;
        long most = 0;
        int fullest = -1;
        // Memory is taken only when an operator starts, so peaks occur at starts.
        for (int id : sequence) {
            Operator operator = graph.operator(id);
            while (!releases.isEmpty() && releases.peek().time() <= schedule.start(id)) {
                taken -= releases.poll().bytes();
            }
            busy += schedule.end(id) - schedule.start(id);
            persistent += operator.persistent();
            taken += operator.runningBytes();
            if (taken > most || fullest < 0) {
                most = taken;
                fullest = id;
            }
            releases.add(new Release(schedule.end(id), operator.temporary()));
            double lastRead = lastRead(graph, schedule, id);
            if (lastRead >= 0) {
                releases.add(new Release(lastRead, operator.outputBytes()));
            }
        }
        return new DeviceUsage(
                sequence.length,
                busy,
                persistent,
                persistent + most,
                fullest,
                received(graph, schedule, d));
    }

    private static double lastRead(OperatorGraph graph, OperatorSchedule schedule, int id) {
        double latest = -1;
        for (int edge : graph.out(id)) {
            latest = Math.max(latest, schedule.end(graph.to(edge)));
        }
        return latest;
    }

    private static long received(OperatorGraph graph, OperatorSchedule schedule, int d) {
        PriorityQueue<Release> releases =
                new PriorityQueue<>(Comparator.comparingDouble(Release::time));
        long taken = 0;
        long most = 0;
        for (Transfer transfer :
                schedule.transfers().stream()
                        .filter(each -> each.to() == d)
                        .sorted(Comparator.comparingDouble(Transfer::end))
                        .toList()) {
            while (!releases.isEmpty() && releases.peek().time() <= transfer.end()) {
                taken -= releases.poll().bytes();
            }
            long bytes = graph.bytes(transfer.output());
            taken += bytes;
            most = Math.max(most, taken);
            double latest = transfer.end();
            for (int edge : graph.out(graph.producer(transfer.output()))) {
                if (schedule.device(graph.to(edge)) == d) {
                    latest = Math.max(latest, schedule.end(graph.to(edge)));
                }
            }
            releases.add(new Release(latest, bytes));
        }
        return most;
    }
}

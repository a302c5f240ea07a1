package dev.levee.operators.placement.algorithm;

import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.graph.Transfers;
import dev.levee.operators.placement.schedule.InfeasibleException;
import dev.levee.operators.placement.schedule.ListScheduler;
import dev.levee.operators.placement.schedule.OperatorSchedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the shortest schedule of a small graph by branch and bound. There is a shortest schedule
 * that starts every operator as early as the order on the devices allows, so it suffices to try all
 * orders of starts. A branch is cut if a lower bound, the longest remaining path or the remaining
 * work without transfers, does not beat the best schedule so far. The search starts from the
 * schedule of m-ETF or m-SCT. Transfers must be parallel.
 */
public record ExactSearch() implements Placer {
    /** Maximum number of operators; more would take too long. */
    public static final int LARGEST = 15;

    /** Maximum number of partial schedules that are remembered. */
    private static final int STATES = 1_000_000;

    private static final int DEVICES = 15;

    @Override
    public OperatorSchedule place(OperatorGraph graph, DeviceCluster cluster)
            throws InfeasibleException {
        if (graph.size() > LARGEST) {
            throw new IllegalArgumentException(
                    "exact takes graphs of up to %d operators, got %d"
                            .formatted(LARGEST, graph.size()));
        }
        if (cluster.size() > DEVICES) {
            throw new IllegalArgumentException(
                    "exact takes up to %d devices, got %d".formatted(DEVICES, cluster.size()));
        }
        if (cluster.transfers() != Transfers.PARALLEL) {
            throw new IllegalArgumentException("exact takes parallel transfers only");
        }
        return new Search(graph, cluster).run();
    }

    /** {@inheritDoc} The search starts from a schedule of m-ETF. */
    @Override
    public Placer fittingFast() {
        return new MEtf(false);
    }

    /** The set of placed operators, and the devices of the operators that still matter. */
    private record State(int mask, long devices) {}

    /** One search, with the operators placed so far. */
    private static final class Search {
        private final OperatorGraph graph;
        private final DeviceCluster cluster;
        private final int[] bound;
        private final double[] tail;
        private final PartialSchedule part;
        private final double[] earliest;
        private final boolean tight;
        private final Map<State, List<double[]>> states = new HashMap<>();
        private int kept;
        private double best = Double.POSITIVE_INFINITY;
        private int[] bestDevice;
        private int[] bestOrder;

        Search(OperatorGraph graph, DeviceCluster cluster) {
            this.graph = graph;
            this.cluster = cluster;
            int size = graph.size();
            bound = graph.bound(cluster);
            tail = new double[size];
            for (int i = size - 1; i >= 0; i--) {
                int id = graph.order()[i];
                for (int edge : graph.out(id)) {
                    tail[id] = Math.max(tail[id], tail[graph.to(edge)]);
                }
                tail[id] += graph.operator(id).seconds() / cluster.topSpeed();
            }
            part = new PartialSchedule(graph, cluster);
            earliest = new double[size];
            long all = graph.operators().stream().mapToLong(Operator::allBytes).sum();
            tight = cluster.devices().stream().anyMatch(each -> each.memory() < all);
        }

        OperatorSchedule run() throws InfeasibleException {
            InfeasibleException refused = null;
            for (Placer first : List.of(new MEtf(false), new MSct(false, MSct.DEFAULT_THRESHOLD))) {
                try {
                    keep(first.place(graph, cluster));
                } catch (InfeasibleException e) {
                    refused = e;
                }
            }
            branch(0);
            if (bestOrder == null) {
                throw refused;
            }
            int[][] sequences = new int[cluster.size()][];
            for (int d = 0; d < sequences.length; d++) {
                int on = d;
                sequences[d] =
                        Arrays.stream(bestOrder).filter(id -> bestDevice[id] == on).toArray();
            }
            return ListScheduler.run(
                    graph, cluster, ListScheduler.Rules.on(bestDevice).inOrder(sequences));
        }

        private void keep(OperatorSchedule schedule) {
            if (schedule.makespan() >= best) {
                return;
            }
            best = schedule.makespan();
            bestDevice = schedule.devices();
            bestOrder = new int[0];
            for (int[] sequence : schedule.sequences(cluster.size())) {
                int before = bestOrder.length;
                bestOrder = Arrays.copyOf(bestOrder, before + sequence.length);
                System.arraycopy(sequence, 0, bestOrder, before, sequence.length);
            }
        }

        /**
         * Tries all operators and devices that may come next, with starts at {@code from} or later.
         */
        private void branch(double from) {
            if (part.taken.size() == graph.size()) {
                double makespan = Arrays.stream(part.end).max().orElse(0);
                // On slow devices, operators take longer than the bound assumes.
                if (makespan < best) {
                    best = makespan;
                    bestDevice = part.device.clone();
                    bestOrder = part.taken.stream().mapToInt(Integer::intValue).toArray();
                }
                return;
            }
            if (bound(from) >= best || seen(from)) {
                return;
            }
            for (int id = 0; id < graph.size(); id++) {
                if (part.device[id] >= 0 || !ready(id)) {
                    continue;
                }
                for (int d = 0; d < part.free.length; d++) {
                    if (allowed(id, d) && !twin(d)) {
                        double at = part.startIfRoom(id, d, Math.max(from, part.arrival(id, d)));
                        if (at + tail[id] < best) {
                            take(id, d, at);
                        }
                    }
                }
            }
        }

        /**
         * True if another order has placed the same operators, has the operators that still matter
         * on the same devices, and is nowhere later. If memory may run short, all operators matter.
         */
        private boolean seen(double from) {
            int mask = 0;
            long devices = 0;
            List<Double> times = new ArrayList<>();
            for (int id = 0; id < graph.size(); id++) {
                if (part.device[id] >= 0) {
                    mask |= 1 << id;
                    if (tight || pending(id)) {
                        devices |= (part.device[id] + 1L) << (4 * id);
                        times.add(part.end[id]);
                    }
                }
            }
            times.add(from);
            for (int d = 0; d < part.free.length; d++) {
                times.add(part.free[d]);
                if (tight) {
                    times.add((double) part.most(d));
                }
            }
            double[] now = times.stream().mapToDouble(Double::doubleValue).toArray();
            List<double[]> others =
                    states.computeIfAbsent(new State(mask, devices), key -> new ArrayList<>());
            for (double[] other : others) {
                if (noLater(other, now)) {
                    return true;
                }
            }
            if (kept < STATES) {
                others.add(now);
                kept++;
            }
            return false;
        }

        private static boolean noLater(double[] one, double[] other) {
            for (int i = 0; i < one.length; i++) {
                if (one[i] > other[i]) {
                    return false;
                }
            }
            return true;
        }

        private boolean pending(int id) {
            if (graph.group(id) >= 0) {
                return true;
            }
            for (int edge : graph.out(id)) {
                if (part.device[graph.to(edge)] < 0) {
                    return true;
                }
            }
            return false;
        }

        private void take(int id, int d, double at) {
            double before = part.free[d];
            part.device[id] = d;
            part.start[id] = at;
            part.end[id] = at + cluster.device(d).seconds(graph.operator(id));
            part.free[d] = part.end[id];
            part.taken.add(id);
            branch(at);
            part.taken.remove(part.taken.size() - 1);
            part.free[d] = before;
            part.device[id] = -1;
            part.end[id] = 0;
        }

        private double bound(double from) {
            double work = 0;
            double most = 0;
            for (int id : graph.order()) {
                if (part.device[id] >= 0) {
                    most = Math.max(most, part.end[id]);
                    continue;
                }
                work += graph.operator(id).seconds();
                double begin = from;
                for (int edge : graph.in(id)) {
                    int parent = graph.from(edge);
                    begin =
                            Math.max(
                                    begin,
                                    part.device[parent] >= 0
                                            ? part.end[parent]
                                            : earliest[parent]
                                                    + graph.operator(parent).seconds()
                                                            / cluster.topSpeed());
                }
                earliest[id] = begin;
                most = Math.max(most, begin + tail[id]);
            }
            for (int d = 0; d < part.free.length; d++) {
                work += Math.max(part.free[d], from) * cluster.device(d).speed();
            }
            return Math.max(most, work / cluster.totalSpeed());
        }

        private boolean ready(int id) {
            for (int edge : graph.in(id)) {
                if (part.device[graph.from(edge)] < 0) {
                    return false;
                }
            }
            return true;
        }

        private boolean allowed(int id, int d) {
            if (bound[id] >= 0) {
                return bound[id] == d;
            }
            if (graph.group(id) >= 0) {
                for (int member : graph.members(graph.group(id))) {
                    if (part.device[member] >= 0) {
                        return part.device[member] == d;
                    }
                }
            }
            return true;
        }

        /** True if a device is empty and equivalent to an earlier empty device. */
        private boolean twin(int d) {
            if (part.free[d] > 0 || part.taken.stream().anyMatch(id -> part.device[id] == d)) {
                return false;
            }
            for (int other = 0; other < d; other++) {
                int before = other;
                if (part.taken.stream().noneMatch(id -> part.device[id] == before)
                        && alike(other, d)) {
                    return true;
                }
            }
            return false;
        }

        private boolean alike(int one, int other) {
            boolean alike =
                    cluster.device(one).memory() == cluster.device(other).memory()
                            && cluster.device(one).speed() == cluster.device(other).speed()
                            && cluster.link(one, other).equals(cluster.link(other, one))
                            && Arrays.stream(bound).allMatch(b -> b != one && b != other);
            for (int d = 0; d < part.free.length && alike; d++) {
                alike =
                        d == one
                                || d == other
                                || (cluster.link(one, d).equals(cluster.link(other, d))
                                        && cluster.link(d, one).equals(cluster.link(d, other)));
            }
            return alike;
        }
    }
}

package dev.levee.operators.placement.schedule;

import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.OperatorGraph;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.TreeSet;

/**
 * Schedules a graph in virtual time: a free device takes the operator that can start there earliest
 * and fits. Ties go to the operator with the lowest id, on the device with the lowest id (ETF;
 * Hwang, Chow, Anger and Lee 1989, with Baechi's memory).
 *
 * <p>Operators may be bound to devices, optionally in a given order, and may have favorite children
 * (SCT; Hanen and Munier 1995). If the last operator of a device has a favorite child that could
 * not start earlier elsewhere, the device waits for this child. Meanwhile it takes only urgent
 * operators, whose inputs have arrived on all devices.
 *
 * <p>Scheduling takes O((V·D + E) log V) time for V operators on D devices if transfers are
 * parallel and memory suffices.
 */
public final class ListScheduler {
    /**
     * The constraints of a run.
     *
     * @param reserve true if the memory of a colocation group is reserved when it is placed
     * @param devices the device of each operator, or −1 for any
     * @param favorites the favorite child of each operator, or −1; null for ETF
     * @param sequences the order of operators on each device; null for any order
     */
    public record Rules(boolean reserve, int[] devices, int[] favorites, int[][] sequences) {
        /** Rules that allow every device, unless an operator is bound to one. */
        public static Rules earliest(OperatorGraph graph, DeviceCluster cluster, boolean reserve) {
            return new Rules(reserve, graph.bound(cluster), null, null);
        }

        /** Rules with given devices and any order of operators. */
        public static Rules on(int[] devices) {
            return new Rules(false, devices, null, null);
        }

        /** These rules with favorite children. */
        public Rules withFavorites(int[] children) {
            return new Rules(reserve, devices, children, sequences);
        }

        /** These rules with a given order of operators. */
        public Rules inOrder(int[][] orders) {
            return new Rules(reserve, devices, favorites, orders);
        }
    }

    /** An operator and a time; ordered by time. */
    private record At(double time, int id) {
        static final Comparator<At> ORDER =
                Comparator.comparingDouble(At::time).thenComparingInt(At::id);
    }

    /** Bytes that an operator releases at a time. */
    private record Release(double time, int id, long bytes) {}

    private final OperatorGraph graph;
    private final DeviceCluster cluster;
    private final Rules rules;
    private final DeviceMemory memory;
    private final LinkClock links;
    private final int[] device;
    private final double[] start;
    private final double[] end;
    private final int[] order;
    private int started;
    private final double[] ready;
    private final int[] waiting;
    private final int[] readers;
    private final double[] lastRead;
    private final double[] free;
    private final int[] last;
    private final int[] position;
    private final ReadyTree[] arrived;
    private final PriorityQueue<At>[] coming;
    private final TreeSet<At> urgent = new TreeSet<>(At.ORDER);
    private final double[] urgentFrom;
    private final PriorityQueue<Release> releases =
            new PriorityQueue<>(Comparator.comparingDouble(Release::time));
    private double now;

    private ListScheduler(OperatorGraph graph, DeviceCluster cluster, Rules rules) {
        this.graph = graph;
        this.cluster = cluster;
        this.rules = rules;
        memory = new DeviceMemory(graph, cluster, rules.reserve());
        links = new LinkClock(graph, cluster);
        int size = graph.size();
        device = new int[size];
        Arrays.fill(device, -1);
        start = new double[size];
        end = new double[size];
        order = new int[size];
        ready = new double[size];
        Arrays.fill(ready, Double.POSITIVE_INFINITY);
        waiting = new int[size];
        readers = new int[size];
        lastRead = new double[size];
        urgentFrom = new double[rules.favorites() == null ? 0 : size];
        free = new double[cluster.size()];
        last = new int[cluster.size()];
        Arrays.fill(last, -1);
        position = new int[cluster.size()];
        arrived = new ReadyTree[cluster.size()];
        coming = queues(cluster.size());
        Arrays.setAll(arrived, d -> new ReadyTree(size));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static PriorityQueue<At>[] queues(int count) {
        PriorityQueue<At>[] queues = new PriorityQueue[count];
        Arrays.setAll(queues, d -> new PriorityQueue<>(At.ORDER));
        return queues;
    }

    /**
     * Schedules a graph.
     *
     * @throws InfeasibleException if an operator never fits
     * @throws IllegalArgumentException if the given order contradicts the graph; one sentence
     */
    public static OperatorSchedule run(OperatorGraph graph, DeviceCluster cluster, Rules rules)
            throws InfeasibleException {
        return new ListScheduler(graph, cluster, rules).run();
    }

    private OperatorSchedule run() throws InfeasibleException {
        memory.bind(rules.devices());
        for (int id = 0; id < graph.size(); id++) {
            waiting[id] = graph.in(id).length;
            readers[id] = graph.out(id).length;
        }
        for (int id = 0; id < graph.size(); id++) {
            if (waiting[id] == 0) {
                becomeReady(id, 0);
            }
        }
        while (started < graph.size()) {
            giveBack();
            while (startOne()) {}
            if (started < graph.size()) {
                double next = nextMoment();
                if (next == Double.POSITIVE_INFINITY) {
                    throw stuck();
                }
                now = next;
            }
        }
        return new OperatorSchedule(device, start, end, order, links.transfers());
    }

    private void giveBack() {
        while (!releases.isEmpty() && releases.peek().time() <= now) {
            Release next = releases.poll();
            int on = device[next.id()];
            memory.release(next.id(), on, next.bytes());
            if (rules.reserve()) {
                memory.close(next.id(), on);
                groupChanged(graph.group(next.id()));
            }
        }
    }

    /**
     * Starts the operator with the lowest id that any free device would take now, unless its inputs
     * are delayed. Returns false if there is none.
     */
    private boolean startOne() {
        int best = -1;
        int on = -1;
        for (int d = 0; d < free.length; d++) {
            if (free[d] <= now) {
                int id = choose(d);
                if (id >= 0 && (best < 0 || id < best)) {
                    best = id;
                    on = d;
                }
            }
        }
        if (best >= 0 && !delayed(best, on)) {
            start(best, on);
        }
        return best >= 0;
    }

    /**
     * True if the inputs of an operator arrive later because of other transfers. Then the device
     * may take others in the meantime.
     */
    private boolean delayed(int id, int d) {
        double at = links.sequential() ? links.arrival(id, d, device, end) : now;
        if (at > now) {
            arrived[d].remove(id);
            coming[d].add(new At(at, id));
        }
        return at > now;
    }

    /** The operator that a free device would take now, or −1. */
    private int choose(int d) {
        receive(d);
        if (rules.sequences() != null) {
            int[] sequence = rules.sequences()[d];
            if (position[d] == sequence.length) {
                return -1;
            }
            int head = sequence[position[d]];
            return arrived[d].contains(head) && memory.fits(head, d) ? head : -1;
        }
        int child = rules.favorites() == null ? -1 : awaited(d);
        if (child < 0) {
            return arrived[d].first(memory.persistentRoom(d), memory.room(d));
        }
        for (At each : urgent) {
            if (each.time() > now) {
                break;
            }
            if (arrived[d].contains(each.id()) && memory.fits(each.id(), d)) {
                return each.id();
            }
        }
        return arrived[d].contains(child) ? child : -1;
    }

    /** The favorite child for which a free device waits, or −1. */
    private int awaited(int d) {
        int child = last[d] < 0 ? -1 : rules.favorites()[last[d]];
        if (child < 0
                || device[child] >= 0
                || ready[child] > now
                || !allowed(child, d)
                || !memory.fits(child, d)) {
            return -1;
        }
        double here = earliest(child, d);
        for (int other = 0; other < free.length; other++) {
            if (other != d
                    && allowed(child, other)
                    && memory.fits(child, other)
                    && earliest(child, other) < here) {
                return -1;
            }
        }
        return child;
    }

    private double earliest(int id, int d) {
        return Math.max(Math.max(free[d], now), links.arrival(id, d, device, end));
    }

    private boolean allowed(int id, int d) {
        int bound = rules.devices()[id];
        int group = graph.group(id);
        int placed = group < 0 ? -1 : memory.deviceOf(group);
        return (bound < 0 || bound == d) && (placed < 0 || placed == d);
    }

    /** Makes operators available on a device if all their inputs have arrived there. */
    private void receive(int d) {
        while (!coming[d].isEmpty() && coming[d].peek().time() <= now) {
            int id = coming[d].poll().id();
            if (device[id] >= 0 || !allowed(id, d)) {
                continue;
            }
            if (!delayed(id, d)) {
                arrived[d].put(id, memory.persistent(id), memory.all(id));
            }
        }
    }

    private void becomeReady(int id, double at) {
        ready[id] = at;
        double everywhere = at;
        for (int d = 0; d < free.length; d++) {
            if (allowed(id, d)) {
                double arrival = links.arrival(id, d, device, end);
                everywhere = Math.max(everywhere, arrival);
                coming[d].add(new At(arrival, id));
            }
        }
        if (rules.favorites() != null) {
            urgentFrom[id] = everywhere;
            urgent.add(new At(everywhere, id));
        }
    }

    private void start(int id, int d) {
        boolean first = graph.group(id) >= 0 && memory.deviceOf(graph.group(id)) < 0;
        for (ReadyTree each : arrived) {
            if (each.contains(id)) {
                each.remove(id);
            }
        }
        if (rules.favorites() != null) {
            urgent.remove(new At(urgentFrom[id], id));
        }
        order[started++] = id;
        device[id] = d;
        start[id] = Math.max(now, links.send(id, d, device, end));
        end[id] = start[id] + cluster.device(d).seconds(graph.operator(id));
        free[d] = end[id];
        last[d] = id;
        position[d]++;
        memory.start(id, d);
        if (first || rules.reserve()) {
            groupChanged(graph.group(id));
        }
        long temporary = graph.operator(id).temporary();
        if (temporary > 0 || rules.reserve()) {
            releases.add(new Release(end[id], id, temporary));
        }
        for (int edge : graph.in(id)) {
            int producer = graph.from(edge);
            lastRead[producer] = Math.max(lastRead[producer], end[id]);
            if (--readers[producer] == 0) {
                long outputs = graph.operator(producer).outputBytes();
                releases.add(new Release(lastRead[producer], producer, outputs));
            }
        }
        for (int edge : graph.out(id)) {
            int reader = graph.to(edge);
            if (--waiting[reader] == 0) {
                double latest = 0;
                for (int each : graph.in(reader)) {
                    latest = Math.max(latest, end[graph.from(each)]);
                }
                becomeReady(reader, latest);
            }
        }
    }

    /**
     * Updates the operators of a group on all devices, because their needs or allowed devices have
     * changed.
     */
    private void groupChanged(int group) {
        if (group < 0) {
            return;
        }
        for (int member : graph.members(group)) {
            for (int d = 0; d < free.length; d++) {
                if (arrived[d].contains(member)) {
                    if (allowed(member, d)) {
                        arrived[d].put(member, memory.persistent(member), memory.all(member));
                    } else {
                        arrived[d].remove(member);
                    }
                }
            }
        }
    }

    /**
     * The next time at which an operator may start: when a device becomes free, inputs arrive, or
     * memory is released.
     */
    private double nextMoment() {
        double next = Double.POSITIVE_INFINITY;
        for (int d = 0; d < free.length; d++) {
            if (free[d] > now) {
                next = Math.min(next, free[d]);
            } else if (!coming[d].isEmpty()) {
                next = Math.min(next, coming[d].peek().time());
            }
        }
        if (!releases.isEmpty()) {
            next = Math.min(next, releases.peek().time());
        }
        if (rules.favorites() != null) {
            At later = urgent.higher(new At(now, Integer.MAX_VALUE));
            if (later != null) {
                next = Math.min(next, later.time());
            }
        }
        return next;
    }

    private InfeasibleException stuck() {
        for (int id = 0; id < graph.size(); id++) {
            if (device[id] < 0 && waiting[id] == 0 && rules.sequences() == null) {
                return new InfeasibleException(graph.operator(id).name(), memory.all(id));
            }
        }
        for (int d = 0; d < free.length; d++) {
            int[] sequence = rules.sequences()[d];
            if (position[d] < sequence.length && waiting[sequence[position[d]]] == 0) {
                int id = sequence[position[d]];
                return new InfeasibleException(graph.operator(id).name(), memory.all(id));
            }
        }
        throw new IllegalArgumentException("the order of the operators contradicts their graph");
    }
}

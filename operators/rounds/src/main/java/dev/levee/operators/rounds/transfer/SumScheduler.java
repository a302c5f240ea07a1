package dev.levee.operators.rounds.transfer;

import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.SumTree;
import dev.levee.operators.rounds.vector.Slices;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Filters the reports to a coordinator whose hosts add up contributions. It decides which hosts
 * send their sums to the server and which to other hosts ({@link SumRoutes}), and estimates the
 * rates of links from the durations of transfers. It compares clocks of several hosts, whose
 * difference must be small compared to a transfer.
 *
 * <p>It has no state in checkpoints: sums have the same bits on all routes, and after a restart all
 * subtasks report their places again. Single-threaded; knows no engine.
 */
public final class SumScheduler {
    /** A new tree must take less than this share of the current tree's time. */
    private static final double BETTER = 0.9;

    /**
     * Sums that took at least this share of the slowest one's time shared the destination's link.
     */
    private static final double ALIKE = 0.8;

    /** Stands for the server in place of a host. */
    private static final int SERVER = -1;

    /** The initial rate of links; it matters only that all are equal. */
    private static final double INITIAL_RATE = 1e8;

    /** The transfer of a sum; times are microseconds since the epoch. */
    private record Transfer(long sentAt, long arrivedAt) {
        private double seconds() {
            return Math.max(1, arrivedAt - sentAt) / 1e6;
        }

        private Transfer and(Transfer other) {
            return new Transfer(
                    Math.min(sentAt, other.sentAt), Math.max(arrivedAt, other.arrivedAt));
        }
    }

    private final int server;
    private final Slices slices;
    private final int[] shards;
    private final int[] workers;
    private final int fanIn;
    private final Consumer<SumTree> output;
    private final LinkRates rates = new LinkRates(INITIAL_RATE);
    private final TreeMap<Integer, ShardReport.Placed> places = new TreeMap<>();

    /** The first subtask of each host. */
    private final List<Integer> hosts = new ArrayList<>();

    private final Map<Integer, Integer> hostOfSubtask = new HashMap<>();

    /** By host: bytes of a contribution that would leave it. */
    private long[] bytes = {};

    /**
     * By host: the host that adds up its sums; null before all subtasks have reported their places.
     */
    private int[] to;

    /** The newest round with a sum. */
    private long newest;

    /** Number of contributions to that round that have not reached the server. */
    private int missing;

    /** By host: its sum that has arrived in that round. */
    private final TreeMap<Integer, Transfer> transfers = new TreeMap<>();

    /** The first round of the current routes, and the routes of earlier rounds. */
    private long from;

    private int[] before;

    /**
     * Creates a scheduler without measurements.
     *
     * @param shards subtask of each block of the server's model
     * @param workers subtask of each worker; subtasks of one index share a process
     * @param fanIn most hosts that send sums to the server
     * @param round the open round
     * @param output receives trees for all subtasks
     */
    public SumScheduler(
            int server,
            Slices slices,
            int[] shards,
            int[] workers,
            int fanIn,
            long round,
            Consumer<SumTree> output) {
        this.server = server;
        this.slices = slices;
        this.shards = shards.clone();
        this.workers = workers.clone();
        this.newest = round;
        this.missing = workers.length;
        this.fanIn = fanIn;
        this.output = output;
    }

    /** Handles a report; returns false if it is also for the coordinator. */
    public boolean report(ShardReport report) {
        if (report instanceof ShardReport.Placed placed) {
            placed(placed);
            return true;
        }
        if (report instanceof ShardReport.Gathered gathered) {
            if (to != null) {
                Transfer transfer = new Transfer(gathered.sentAt(), gathered.arrivedAt());
                came(gathered.round(), host(gathered.worker()), transfer, 0);
            }
            return true;
        }
        if (report instanceof ShardReport.Combined sum && last(sum)) {
            arrived(sum.rows().get(0), sum.sentAt(), sum.rows().size());
        } else if (report instanceof ShardReport.Arrived alone && last(alone)) {
            arrived(alone, alone.computedAt(), 1);
        }
        return false;
    }

    private int host(int worker) {
        return hostOfSubtask.get(workers[worker]);
    }

    private boolean last(ShardReport report) {
        return report.shard().block() == slices.count() - 1;
    }

    /** Records a contribution that has reached the server from its host's aggregator. */
    private void arrived(ShardReport.Arrived row, long sentAt, int rows) {
        if (to != null) {
            int[] ways = row.round() < from ? before : to;
            Transfer transfer = new Transfer(sentAt, row.arrivedAt());
            came(row.round(), ways[host(row.worker())], transfer, rows);
        }
    }

    /**
     * Records that a host's sum has arrived, and the number of contributions that have reached the
     * server with it.
     */
    private void came(long round, int host, Transfer transfer, int rows) {
        if (round > newest) {
            settle(round + 1);
            newest = round;
            missing = workers.length;
        } else if (round < newest || missing <= 0) {
            return;
        }
        if (bytes[host] > 0) {
            // Contributions that an aggregator only passes on were in transit for longer.
            transfers.merge(host, transfer, (a, b) -> a.seconds() <= b.seconds() ? a : b);
        }
        missing -= rows;
        if (missing <= 0) {
            settle(newest + 1);
        }
    }

    /**
     * Updates rates from the newest round and decides about routes.
     *
     * @param next the first round that no worker has begun
     */
    private void settle(long next) {
        if (transfers.isEmpty()) {
            return;
        }
        int[] ways = newest < from ? before : to;
        TreeMap<Integer, List<Integer>> senders = new TreeMap<>();
        for (int host : transfers.keySet()) {
            int destination = ways[host] == host ? SERVER : ways[host];
            senders.computeIfAbsent(destination, each -> new ArrayList<>()).add(host);
        }
        senders.descendingMap().forEach(this::learn);
        transfers.clear();
        if (next > from) {
            decide(next);
        }
    }

    /**
     * Updates rates of links from the transfers to a host. Transfers of about the same duration
     * shared its link, so their own links are only known to be no slower.
     */
    private void learn(int destination, List<Integer> senders) {
        double fastest = senders.stream().mapToDouble(this::seconds).min().orElseThrow() / ALIKE;
        List<Integer> alike = senders.stream().filter(host -> seconds(host) <= fastest).toList();
        Transfer all = alike.stream().map(transfers::get).reduce(Transfer::and).orElseThrow();
        double rate = alike.stream().mapToLong(host -> bytes[host]).sum() / all.seconds();
        for (int host : alike) {
            rate = Math.max(rate, bytes[host] / seconds(host));
        }
        boolean shared = alike.size() > 1;
        if (shared && destination != SERVER) {
            rates.observed(destination, bytes[destination], bytes[destination] / rate, 1);
        }
        for (int host : senders) {
            if (!shared || !alike.contains(host)) {
                rates.observed(host, bytes[host], seconds(host), 1);
            } else if (rates.known().getOrDefault(host, 0.0) < rate) {
                rates.observed(host, bytes[host], bytes[host] / rate, 1);
            }
        }
    }

    private double seconds(int host) {
        return transfers.get(host).seconds();
    }

    private void placed(ShardReport.Placed placed) {
        places.put(placed.subtask(), placed);
        if (to != null || places.size() < placed.subtasks()) {
            return;
        }
        Map<String, Integer> known = new HashMap<>();
        for (ShardReport.Placed each : places.values()) {
            int host = known.computeIfAbsent(each.process(), process -> known.size());
            if (host == hosts.size()) {
                hosts.add(each.subtask());
            }
            hostOfSubtask.put(each.subtask(), host);
        }
        bytes = new long[hosts.size()];
        Arrays.fill(bytes, (long) Float.BYTES * slices.dimension());
        for (int block = 0; block < slices.count(); block++) {
            int host = hostOfSubtask.get(shards[block]);
            bytes[host] -= (long) Float.BYTES * slices.length(block);
        }
        before = IntStream.range(0, hosts.size()).toArray();
        decide(newest + 1);
    }

    private void decide(long next) {
        int[] remote = IntStream.range(0, hosts.size()).filter(host -> bytes[host] > 0).toArray();
        if (remote.length == 0) {
            return;
        }
        double[] links = new double[remote.length];
        int[] now = new int[remote.length];
        for (int i = 0; i < links.length; i++) {
            links[i] = bytes[remote[i]] / rates.host(remote[i]);
            now[i] = to == null ? -1 : Arrays.binarySearch(remote, to[remote[i]]);
        }
        // If the model is spread, a sum goes to several hosts at once: this is the largest share.
        long share =
                (long) Float.BYTES * slices.dimension() - Arrays.stream(bytes).min().orElseThrow();
        double seconds = share / rates.server();
        SumRoutes routes = SumRoutes.plan(links, seconds, fanIn);
        if (to != null && routes.seconds() >= BETTER * SumRoutes.expected(links, seconds, now)) {
            return;
        }
        before = to == null ? before : to;
        to = IntStream.range(0, hosts.size()).toArray();
        for (int i = 0; i < remote.length; i++) {
            to[remote[i]] = remote[routes.to()[i]];
        }
        from = next;
        int[] aggregators = new int[places.size()];
        hostOfSubtask.forEach((subtask, host) -> aggregators[subtask] = hosts.get(to[host]));
        output.accept(new SumTree(server, from, aggregators));
    }
}

package dev.levee.operators.rounds.transfer;

import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.SumTree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Stands before the coordinator of a server whose hosts add up contributions: chooses which hosts
 * send their sums to the server and which to other hosts ({@link SumRoutes}), and learns the rates
 * of links from how long sums take. It reads clocks of several hosts, so these have to agree about
 * as well as a transfer is long.
 *
 * <p>Nothing of it has to be remembered: sums have the same bits whichever way they go, and after a
 * restart everybody says anew where it is. Single-threaded; knows no engine.
 */
public final class SumScheduler {
    /**
     * Rounds between a decision and the first round that it holds for, and until the next:
     * processes remember two trees.
     */
    private static final int AHEAD = 2;

    /** Another tree has to take less than this share of the time of the one in force. */
    private static final double BETTER = 0.75;

    /** A sum that had so much of its share of another link was held up by that. */
    private static final double FAIR = 0.8;

    /** Expected of links before anything was seen: only that all are alike counts. */
    private static final double INITIAL_RATE = 1e8;

    private final int server;
    private final Slices slices;
    private final int[] shards;
    private final int[] workers;
    private final int fanIn;
    private final Consumer<SumTree> output;
    private final LinkRates rates = new LinkRates(INITIAL_RATE);
    private final TreeMap<Integer, ShardReport.Placed> places = new TreeMap<>();

    /** First subtask of each host. */
    private final List<Integer> hosts = new ArrayList<>();

    private final Map<Integer, Integer> hostOfSubtask = new HashMap<>();

    /** By host: bytes of a contribution that would leave it. */
    private long[] bytes = {};

    /**
     * By host: the host where its sums are added up; null before everybody has said where it is.
     */
    private int[] to;

    private long newest;
    private long decided;

    /**
     * A scheduler that knows nothing.
     *
     * @param shards subtask of each block of the server's model
     * @param workers subtask of each worker; subtasks of one index share a process
     * @param fanIn most hosts that send sums to the server
     * @param round that is open
     * @param output takes trees for everybody
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
        this.newest = round - 1;
        this.decided = newest;
        this.fanIn = fanIn;
        this.output = output;
    }

    /** Takes a report; false if it is also for the coordinator. */
    public boolean report(ShardReport report) {
        if (report instanceof ShardReport.Placed placed) {
            placed(placed);
            return true;
        }
        if (report instanceof ShardReport.Gathered gathered) {
            observed(gathered.worker(), gathered.micros());
            return true;
        }
        if (report instanceof ShardReport.Combined sum && last(sum)) {
            arrived(sum.rows().get(0), sum.sentAt());
        } else if (report instanceof ShardReport.Arrived alone && last(alone)) {
            arrived(alone, alone.computedAt());
        }
        return false;
    }

    private boolean last(ShardReport report) {
        return report.shard().block() == slices.count() - 1;
    }

    private void arrived(ShardReport.Arrived row, long sentAt) {
        observed(row.worker(), row.arrivedAt() - sentAt);
        if (row.round() > newest) {
            newest = row.round();
            if (to != null && newest >= decided + AHEAD) {
                decide();
            }
        }
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
        decide();
    }

    /** A sum that begins with a worker's contribution has come to where it is added up. */
    private void observed(int worker, long micros) {
        if (to == null) {
            return;
        }
        int host = hostOfSubtask.get(workers[worker]);
        if (bytes[host] == 0) {
            return;
        }
        long beside = 0;
        for (int each = 0; each < to.length; each++) {
            boolean direct = to[each] == each;
            boolean together = to[host] == host ? direct : !direct && to[each] == to[host];
            beside += together && bytes[each] > 0 ? 1 : 0;
        }
        double seconds = micros / 1e6;
        boolean heldUp = bytes[host] / seconds * beside > FAIR * rates.host(to[host]);
        if (to[host] == host || !heldUp) {
            rates.observed(host, bytes[host], seconds, (int) beside);
        } else {
            // Nothing is known but that it is no slower than who it waited for.
            rates.observed(host, bytes[host], bytes[host] / rates.server(), 1);
        }
    }

    private void decide() {
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
        // Where the model is spread, a sum goes to several hosts at once: this is what the one with
        // the largest share gets of it.
        long share =
                (long) Float.BYTES * slices.dimension() - Arrays.stream(bytes).min().orElseThrow();
        double seconds = share / rates.server();
        SumRoutes routes = SumRoutes.plan(links, seconds, fanIn);
        if (to != null && routes.seconds() >= BETTER * SumRoutes.seconds(links, seconds, now)) {
            return;
        }
        to = IntStream.range(0, hosts.size()).toArray();
        for (int i = 0; i < remote.length; i++) {
            to[remote[i]] = remote[routes.to()[i]];
        }
        decided = newest;
        int[] aggregators = new int[places.size()];
        hostOfSubtask.forEach((subtask, host) -> aggregators[subtask] = hosts.get(to[host]));
        output.accept(new SumTree(server, newest + AHEAD, aggregators));
    }
}

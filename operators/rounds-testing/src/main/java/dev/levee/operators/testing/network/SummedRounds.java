package dev.levee.operators.testing.network;

import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.transfer.SumScheduler;
import dev.levee.operators.rounds.transfer.SumTrees;
import dev.levee.operators.rounds.vector.Slices;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Simulates synchronous rounds in virtual time. Each host has one sum per round, which it sends to
 * the server or to another host, as a {@link SumScheduler} decides that estimates the rates of
 * links from these transfers. Models take no time.
 */
public final class SummedRounds {
    /**
     * The result of a run.
     *
     * @param seconds duration of each round
     * @param sums number of sums that the server received in each round
     */
    public record Outcome(double[] seconds, int[] sums) {
        /** Mean seconds of a round. */
        public double meanSeconds() {
            return IntStream.range(0, seconds.length).mapToDouble(i -> seconds[i]).sum()
                    / seconds.length;
        }
    }

    /** A sum in transit. */
    private record Sum(int host, int to, double since, int hosts) {}

    private record Computed(double at, int host) {}

    private final Setting setting;
    private final int server;
    private final LinkNetwork network;
    private final SumTrees trees = new SumTrees();
    private final SplittableRandom random;
    private final SumScheduler scheduler;
    private double now;
    private double change;

    /**
     * Creates a run.
     *
     * @param fanIn most hosts that send to the server; 0 for all hosts, without a scheduler
     */
    public SummedRounds(Setting setting, int fanIn) {
        this.setting = setting;
        server = setting.workers();
        network = new LinkNetwork(setting.workers() + 1, setting.rate());
        random = new SplittableRandom(setting.seed());
        int dimension = (int) (setting.bytes() / Float.BYTES);
        scheduler =
                fanIn == 0
                        ? null
                        : new SumScheduler(
                                0,
                                new Slices(dimension, dimension, dimension),
                                new int[] {server},
                                IntStream.range(0, setting.workers()).toArray(),
                                fanIn,
                                0,
                                trees::add);
        for (int host = 0; host <= server && scheduler != null; host++) {
            scheduler.report(new ShardReport.Placed(0, host, server + 1, "host " + host));
        }
    }

    /** Runs some rounds. */
    public Outcome run(int rounds) {
        double[] seconds = new double[rounds];
        int[] sums = new int[rounds];
        for (int round = 0; round < rounds; round++) {
            double opened = now;
            sums[round] = round(round);
            seconds[round] = now - opened;
        }
        return new Outcome(seconds, sums);
    }

    /** Simulates a round; returns the number of sums that the server received. */
    private int round(long round) {
        int hosts = setting.workers();
        int[] to =
                IntStream.range(0, hosts)
                        .map(host -> trees.aggregator(round, host, host))
                        .toArray();
        int[] missing = new int[hosts];
        IntStream.of(to).forEach(each -> missing[each]++);
        int direct = (int) IntStream.of(missing).filter(each -> each > 0).count();
        PriorityQueue<Computed> computing =
                new PriorityQueue<>(
                        Comparator.comparingDouble(Computed::at).thenComparingInt(Computed::host));
        for (int host = 0; host < hosts; host++) {
            double jitter = 0.9 - 0.1 * Math.log(1 - random.nextDouble());
            computing.add(new Computed(now + setting.computeSeconds() * jitter, host));
        }
        int[] group = missing.clone();
        int received = 0;
        while (received < direct) {
            double computed = computing.isEmpty() ? Double.MAX_VALUE : computing.peek().at();
            double until = Math.min(Math.min(now + network.next(), computed), change);
            List<Object> ended = network.pass(until - now);
            now = until;
            List<Integer> ready = new ArrayList<>();
            for (Object each : ended) {
                Sum sum = (Sum) each;
                told(round, sum);
                if (sum.to() == server) {
                    received++;
                } else {
                    ready.add(sum.to());
                }
            }
            while (!computing.isEmpty() && computing.peek().at() <= now) {
                int host = computing.remove().host();
                if (to[host] == host) {
                    ready.add(host);
                } else {
                    send(new Sum(host, to[host], now, 1));
                }
            }
            for (int aggregator : ready) {
                if (--missing[aggregator] == 0) {
                    send(new Sum(aggregator, server, now, group[aggregator]));
                }
            }
            if (now >= change) {
                change();
            }
        }
        return received;
    }

    private void send(Sum sum) {
        network.start(sum, sum.host(), sum.to(), setting.bytes());
    }

    private void told(long round, Sum sum) {
        if (scheduler == null) {
            return;
        }
        long sentAt = Math.round(sum.since() * 1e6);
        long arrivedAt = Math.round(now * 1e6);
        if (sum.to() != server) {
            scheduler.report(new ShardReport.Gathered(round, 0, sum.host(), sentAt, arrivedAt));
            return;
        }
        ShardReport.Arrived row =
                new ShardReport.Arrived(
                        round,
                        new ShardId(0, 0),
                        sum.host(),
                        round,
                        1,
                        new double[0],
                        0,
                        0,
                        sentAt,
                        arrivedAt);
        scheduler.report(
                sum.hosts() == 1
                        ? row
                        : new ShardReport.Combined(Collections.nCopies(sum.hosts(), row), sentAt));
    }

    /** Makes other workers slow. */
    private void change() {
        change += setting.changeSeconds();
        List<Integer> all = new ArrayList<>(IntStream.range(0, setting.workers()).boxed().toList());
        all.forEach(host -> network.rate(host, setting.rate()));
        int slow = (int) Math.round(setting.stragglers() * setting.workers());
        for (int i = 0; i < slow; i++) {
            int host = all.remove(random.nextInt(all.size()));
            network.rate(host, setting.rate() / setting.slowdown());
        }
    }
}

package dev.levee.operators.rounds.transfer;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Routes of hosts' sums: some hosts send to the server, and the others to one of these, so that the
 * server has all sums as soon as possible. There is one level of aggregators, as MLfabric plans
 * them (Viswanathan, Balasubramanian and Akella, arXiv 1907.00434), and all sums are ready at once.
 * Every number of aggregators is tried. Aggregators are the hosts with the fastest links, and each
 * other host joins the aggregator that is free first. The slowest hosts may also send to the server
 * directly, which delays no other host. If no such tree is expected to be as fast as direct
 * transfers, all hosts send to the server.
 *
 * @param to by host: the destination of its sum; the host itself stands for the server
 * @param seconds expected time until the server has all sums
 */
record SumRoutes(int[] to, double seconds) {
    /** Probability that another host is slow in a round than in the previous one. */
    private static final double CHANGE = 0.05;

    /** More hosts send to the server only if that takes less than this share of the time. */
    private static final double SOONER = 0.99;

    /**
     * Plans routes.
     *
     * @param links by host: seconds of a sum on the host's link
     * @param server seconds of a sum on the server's link
     * @param fanIn most hosts that send to the server if hosts add up sums, at least 1
     */
    static SumRoutes plan(double[] links, double server, int fanIn) {
        List<Integer> order =
                IntStream.range(0, links.length)
                        .boxed()
                        .sorted(Comparator.comparingDouble(host -> links[host]))
                        .toList();
        double fastest = links[order.get(0)];
        int slow = (int) Arrays.stream(links).filter(link -> link > 2 * fastest).count();
        int[] tree = null;
        double soonest = Double.POSITIVE_INFINITY;
        int most = Math.min(fanIn, links.length);
        for (int direct = 1; direct <= most; direct++) {
            for (int beside = 0; beside <= Math.min(slow, direct - 1); beside++) {
                int[] to = assigned(links, order, direct - beside, beside);
                double seconds = seconds(links, server, to);
                // Of equally fast routes, the first sends the fewest bytes to the server.
                if (seconds < SOONER * soonest) {
                    tree = to;
                    soonest = seconds;
                }
            }
        }
        SumRoutes best = new SumRoutes(tree, expected(links, server, tree));
        int[] all = IntStream.range(0, links.length).toArray();
        SumRoutes direct = new SumRoutes(all, expected(links, server, all));
        return direct.seconds < SOONER * best.seconds ? direct : best;
    }

    /**
     * Assigns destinations: the first hosts of an order aggregate, and the last send to the server
     * directly.
     */
    private static int[] assigned(double[] links, List<Integer> order, int adding, int beside) {
        int[] to = IntStream.range(0, links.length).toArray();
        int[] gathered = new int[links.length];
        double[] slowest = new double[links.length];
        List<Integer> aggregators = order.subList(0, adding);
        for (int host : order.subList(adding, order.size() - beside)) {
            int aggregator =
                    aggregators.stream()
                            .min(
                                    Comparator.comparingDouble(
                                            each ->
                                                    gathering(
                                                            links[each],
                                                            gathered[each] + 1,
                                                            Math.max(slowest[each], links[host]))))
                            .orElseThrow();
            to[host] = aggregator;
            gathered[aggregator]++;
            slowest[aggregator] = Math.max(slowest[aggregator], links[host]);
        }
        return to;
    }

    /** Seconds in which a host receives a number of sums, given the time of the slowest one. */
    private static double gathering(double link, int sums, double slowest) {
        return Math.max(sums * link, slowest);
    }

    /**
     * Expected seconds until the server has all sums on these routes. Either links are unchanged,
     * or any one of them has become as slow as the slowest. So aggregators with many hosts have a
     * cost even before they become slow.
     */
    static double expected(double[] links, double server, int[] to) {
        double slowest = Arrays.stream(links).max().orElseThrow();
        double changed =
                IntStream.range(0, links.length)
                        .mapToDouble(
                                host -> {
                                    double[] after = links.clone();
                                    after[host] = slowest;
                                    return seconds(after, server, to);
                                })
                        .average()
                        .orElseThrow();
        return (1 - CHANGE) * seconds(links, server, to) + CHANGE * changed;
    }

    /** Seconds until the server has all sums on these routes. */
    static double seconds(double[] links, double server, int[] to) {
        int[] gathered = new int[links.length];
        double[] slowest = new double[links.length];
        for (int host = 0; host < links.length; host++) {
            if (to[host] != host) {
                gathered[to[host]]++;
                slowest[to[host]] = Math.max(slowest[to[host]], links[host]);
            }
        }
        double[] ready =
                IntStream.range(0, links.length)
                        .filter(host -> to[host] == host)
                        .mapToDouble(host -> gathering(links[host], gathered[host], slowest[host]))
                        .sorted()
                        .toArray();
        // The server's link is never idle while a sum waits, and a slow sender does not block it.
        double last =
                IntStream.range(0, links.length)
                        .filter(host -> to[host] == host)
                        .mapToDouble(
                                host ->
                                        gathering(links[host], gathered[host], slowest[host])
                                                + links[host])
                        .max()
                        .orElseThrow();
        double free = 0;
        for (double each : ready) {
            free = Math.max(free, each) + server;
        }
        return Math.max(free, last);
    }
}

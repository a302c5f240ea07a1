package dev.levee.operators.rounds.transfer;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which hosts send a sum to the server, and which to one of those, so that the server has all of
 * them soonest: one level of aggregators as MLfabric plans them (Viswanathan, Balasubramanian and
 * Akella, arXiv 1907.00434), for sums that are all ready at once. The number of aggregators is
 * scanned; these are the hosts with the fastest links, and each other host joins the one that has
 * gathered soonest. The slowest hosts may send to the server beside them, which delays no other
 * host. Where no such tree is expected to be as fast as all hosts sending to the server, all do.
 *
 * @param to by host: where its sum goes, itself for the server
 * @param seconds expected until the server has all
 */
record SumRoutes(int[] to, double seconds) {
    /** How likely it is that another host is slow in a round than was in the last one. */
    private static final double CHANGE = 0.05;

    /** To have more hosts send to the server must take less than this share of the time. */
    private static final double SOONER = 0.99;

    /**
     * Plans routes.
     *
     * @param links by host: seconds that a sum takes on its link
     * @param server seconds that a sum takes on the server's link
     * @param fanIn most hosts that send to the server if any host adds up, at least 1
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
                // The first of equally good ones sends the server the fewest bytes.
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

    /** The first hosts of an order add up what others send, and the last send to the server. */
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

    /** Seconds in which a host receives so many sums, the slowest of which takes so long. */
    private static double gathering(double link, int sums, double slowest) {
        return Math.max(sums * link, slowest);
    }

    /**
     * Expected seconds until the server has what goes these ways: links are as they were, or any
     * one of them has become as slow as the slowest. So a host whose slowness would hold up many
     * others costs something before it is slow.
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

    /** Seconds until the server has what goes these ways. */
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
        // The server's link is never idle while a sum waits for it, and a slow one leaves it free.
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

package dev.levee.operators.rounds.transfer;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which hosts send a sum to the server, and which to one of those, so that the server has all of
 * them soonest: one level of aggregators as MLfabric plans them (Viswanathan, Balasubramanian and
 * Akella, arXiv 1907.00434), for sums that are all ready at once. The number of hosts that send to
 * the server is scanned; these are the ones with the fastest links, and each other host joins the
 * one that has gathered soonest.
 *
 * @param to by host: where its sum goes, itself for the server
 * @param seconds until the server has all
 */
record SumRoutes(int[] to, double seconds) {
    /**
     * Plans routes.
     *
     * @param links by host: seconds that a sum takes on its link
     * @param server seconds that a sum takes on the server's link
     * @param fanIn most hosts that send to the server, at least 1
     */
    static SumRoutes plan(double[] links, double server, int fanIn) {
        List<Integer> order =
                IntStream.range(0, links.length)
                        .boxed()
                        .sorted(Comparator.comparingDouble(host -> links[host]))
                        .toList();
        SumRoutes best = null;
        for (int direct = 1; direct <= Math.min(fanIn, links.length); direct++) {
            int[] to = assigned(links, order, direct);
            double seconds = seconds(links, server, to);
            // Of equally good ones the first sends the server the fewest bytes.
            best = best == null || seconds < best.seconds ? new SumRoutes(to, seconds) : best;
        }
        return best;
    }

    private static int[] assigned(double[] links, List<Integer> order, int direct) {
        int[] to = new int[links.length];
        int[] gathered = new int[links.length];
        double[] slowest = new double[links.length];
        order.subList(0, direct).forEach(host -> to[host] = host);
        for (int host : order.subList(direct, order.size())) {
            int aggregator =
                    order.subList(0, direct).stream()
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
                        .toArray();
        double[] own =
                IntStream.range(0, links.length)
                        .filter(host -> to[host] == host)
                        .mapToDouble(host -> Math.max(links[host], server))
                        .toArray();
        Integer[] turns = IntStream.range(0, ready.length).boxed().toArray(Integer[]::new);
        Arrays.sort(turns, Comparator.comparingDouble(turn -> ready[turn]));
        double free = 0;
        for (int turn : turns) {
            free = Math.max(free + server, ready[turn] + own[turn]);
        }
        return free;
    }
}

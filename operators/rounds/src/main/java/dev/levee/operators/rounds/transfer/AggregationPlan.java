package dev.levee.operators.rounds.transfer;

import java.util.ArrayList;
import java.util.List;

/**
 * Which of the updates that come next are sent to the server directly, and which are added up by
 * aggregators, each of which sends one sum (MLfabric, arXiv 1907.00434). Every number of direct
 * ones is tried; the others go, in order, to the aggregator that has collected its updates first.
 * The plan is the one that ends soonest, and of equal ones that with the most direct updates.
 *
 * @param direct how many of the first updates are sent directly
 * @param groups positions of the updates that each aggregator adds up; empty for those without work
 * @param seconds until the last transfer to the server ends
 */
public record AggregationPlan(int direct, List<List<Integer>> groups, double seconds) {
    /**
     * Plans the transfers of some updates.
     *
     * @param seconds that each update takes alone, in the order of sending
     * @param busy seconds until the server's link is free
     * @param aggregators how many can collect updates, each one after the other
     * @param sum seconds that a sum takes from an aggregator to the server
     */
    public static AggregationPlan of(double[] seconds, double busy, int aggregators, double sum) {
        AggregationPlan best = null;
        for (int direct = seconds.length; direct >= 0; direct--) {
            if (direct == seconds.length || aggregators > 0) {
                AggregationPlan plan = plan(seconds, busy, aggregators, sum, direct);
                best = best == null || plan.seconds() < best.seconds() ? plan : best;
            }
        }
        return best;
    }

    private static AggregationPlan plan(
            double[] seconds, double busy, int aggregators, double sum, int direct) {
        double end = busy;
        for (int i = 0; i < direct; i++) {
            end += seconds[i];
        }
        double[] collected = new double[aggregators];
        List<List<Integer>> groups = new ArrayList<>();
        for (int a = 0; a < aggregators; a++) {
            groups.add(new ArrayList<>());
        }
        for (int i = direct; i < seconds.length; i++) {
            int first = 0;
            for (int a = 1; a < aggregators; a++) {
                first = collected[a] < collected[first] ? a : first;
            }
            collected[first] += seconds[i];
            groups.get(first).add(i);
        }
        List<Integer> order = new ArrayList<>();
        for (int a = 0; a < aggregators; a++) {
            if (!groups.get(a).isEmpty()) {
                order.add(a);
            }
        }
        order.sort((a, b) -> Double.compare(collected[a], collected[b]));
        for (int a : order) {
            end = Math.max(end, collected[a]) + sum;
        }
        return new AggregationPlan(direct, groups, end);
    }
}

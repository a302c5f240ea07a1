package dev.levee.benchmarks.kernel;

import dev.levee.benchmarks.Machine;
import dev.levee.gar.Aggregator;
import dev.levee.gar.Draws;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;

import java.util.Arrays;
import java.util.Locale;

/**
 * Measures the time of a rule without its passes over coordinates: it aggregates rows of a few
 * coordinates, for which deciding takes most of the time. Prints median milliseconds of several
 * rounds.
 */
public final class DecisionCost {
    private static final int[][] SIZES = {{11, 2}, {25, 5}, {30, 7}, {51, 12}};
    private static final int COORDINATES = 64;
    private static final long ENOUGH = 300_000_000L;

    private DecisionCost() {}

    /** Arguments: names of rules (all). */
    public static void main(String[] args) {
        Machine.print();
        System.out.print("| rule |");
        for (int[] size : SIZES) {
            System.out.printf(" n = %d, f = %d |", size[0], size[1]);
        }
        System.out.println("\n|---|" + "---|".repeat(SIZES.length));
        for (String name : args.length == 0 ? Rules.names() : Arrays.asList(args)) {
            Rule rule = Rules.parse(name);
            System.out.printf("| %s |", name);
            for (int[] size : SIZES) {
                System.out.printf(" %s |", milliseconds(rule, size[0], size[1]));
            }
            System.out.println();
        }
    }

    private static String milliseconds(Rule rule, int n, int f) {
        try {
            rule.check(n, f);
        } catch (IllegalArgumentException e) {
            return "–";
        }
        Aggregator aggregator = new Aggregator(rule, f, 1);
        double[] scores = new double[rule.needsScores() ? n : 0];
        double[] seconds = new double[1000];
        int rounds = 0;
        long begin = System.nanoTime();
        // Only the second half counts, because the code is compiled during the first.
        while (rounds < seconds.length && System.nanoTime() - begin < 2 * ENOUGH || rounds < 3) {
            float[][] rows = rows(n, rounds);
            long start = System.nanoTime();
            aggregator.aggregate(rows, scores);
            seconds[rounds++] = (System.nanoTime() - start) / 1e6;
        }
        double[] late = Arrays.copyOfRange(seconds, rounds / 2, rounds);
        Arrays.sort(late);
        return String.format(Locale.ROOT, "%.3f", late[late.length / 2]);
    }

    private static float[][] rows(int n, int round) {
        float[][] rows = new float[n][COORDINATES];
        for (int i = 0; i < n; i++) {
            long key = Draws.key(round, i);
            for (int k = 0; k < COORDINATES; k++) {
                rows[i][k] = (float) Draws.normal(key, k);
            }
        }
        return rows;
    }
}

package dev.levee.gar.rules;

import dev.levee.gar.Arguments;
import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;
import dev.levee.gar.internal.IteratedKrum;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Selects θ = n − 2f rows one at a time and averages, per coordinate, the β = θ − 2f values closest
 * to their median (El Mhamdi, Guerraoui, Rouault, "The Hidden Vulnerability of Distributed Learning
 * in Byzantium", ICML 2018, section 4). Each selection takes the remaining row that is nearest to
 * the result of a rule over the remaining rows. With Krum, the result is that row itself.
 *
 * @param rule the selecting rule; Krum counts max(1, m − f − 2) neighbors of m remaining rows
 * @param singlePass whether to take the θ rows with the lowest scores without scoring again
 * @param garfield whether to follow Garfield's code: rows are ranked once by the sum of their plain
 *     distances to the n − f − 2 nearest others; selection k of n − 2f − 2 is the mean of the n − f
 *     − 2 − k rows from rank k; and the values closest to the lower median are averaged
 */
public record Bulyan(Rule rule, boolean singlePass, boolean garfield) implements Rule {
    private static final KrumScore GARFIELD = new KrumScore(false, KrumScore.Summed.DISTANCES);

    /** Bulyan as in its paper, over a rule. */
    public Bulyan(Rule rule, boolean singlePass) {
        this(rule, singlePass, false);
    }

    public Bulyan {
        if (garfield && (singlePass || !iterated(rule))) {
            throw new IllegalArgumentException(
                    "bulyan: variant=garfield excludes rule and single-pass");
        }
        if (!iterated(rule)) {
            if (singlePass) {
                throw new IllegalArgumentException(
                        "bulyan: single-pass works only with krum, got rule=" + rule.name());
            }
            if (rule.minimumRows(1) > 5) {
                throw new IllegalArgumentException(
                        "bulyan ends with a selection among 2f + 1 rows, but %s needs %s"
                                .formatted(rule.name(), rule.limit()));
            }
            EmbeddedRule.check(rule, "bulyan");
        }
    }

    /**
     * Reads the arguments: the name of a rule (default krum), single-pass and variant.
     *
     * @param named creates a rule by its name
     */
    public static Bulyan of(Arguments arguments, Function<String, Rule> named) {
        String variant = arguments.word("variant", "paper");
        if (!variant.equals("paper") && !variant.equals("garfield")) {
            throw new IllegalArgumentException(
                    "bulyan: variant must be paper or garfield, got " + variant);
        }
        return new Bulyan(
                named.apply(arguments.word("rule", "krum")),
                arguments.flag("single-pass"),
                variant.equals("garfield"));
    }

    /** True for the paper's rule, Krum, whose scores are updated instead of computed again. */
    private static boolean iterated(Rule rule) {
        return rule.equals(new Krum());
    }

    @Override
    public String name() {
        if (garfield) {
            return "bulyan(variant=garfield)";
        }
        if (singlePass) {
            return "bulyan(single-pass)";
        }
        return iterated(rule) ? "bulyan" : "bulyan(rule=" + rule.name() + ")";
    }

    @Override
    public int minimumRows(int f) {
        return RowLimit.rows(4L * f + 3);
    }

    @Override
    public String limit() {
        return "n ≥ 4f + 3";
    }

    /** Checks also that the selecting rule accepts n rows, which are the most that it gets. */
    @Override
    public void check(int n, int f) {
        Rule.super.check(n, f);
        if (!iterated(rule)) {
            rule.check(n, f);
        }
    }

    @Override
    public Look look() {
        return iterated(rule) ? Look.DISTANCES : EmbeddedRule.look();
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        int n = round.rows();
        int f = round.f();
        if (garfield) {
            return asGarfield(looked, n, f);
        }
        int theta = Math.max(1, n - 2 * f);
        double[] scores;
        int[] selection;
        if (singlePass) {
            scores = KrumScore.PAPER.scores(looked, n, f);
            selection = Ranking.least(scores, theta);
        } else if (iterated(rule)) {
            IteratedKrum krum = IteratedKrum.of(squares(looked, n), f);
            scores = krum.scores();
            selection = krum.selection();
        } else {
            scores = new double[n];
            selection = nearestToResults(looked, round, theta, scores);
        }
        Arrays.sort(selection);
        return new Step.Reduce(
                RowMap.select(selection, n),
                new Reduction.MeanAroundMedian(Math.max(1, theta - 2 * f)),
                RuleState.NONE,
                scores);
    }

    private static Step asGarfield(LookResult looked, int n, int f) {
        double[] scores = GARFIELD.scores(looked, n, f);
        int[] ranked =
                IntStream.range(0, n)
                        .boxed()
                        .sorted(Comparator.comparingDouble(i -> Ranking.worst(scores[i])))
                        .mapToInt(Integer::intValue)
                        .toArray();
        int selections = Math.max(1, n - 2 * f - 2);
        double[][] weights = new double[selections][n];
        for (int k = 0; k < selections; k++) {
            int averaged = Math.max(1, n - f - 2 - k);
            for (int rank = k; rank < k + averaged; rank++) {
                weights[k][ranked[rank]] = 1.0 / averaged;
            }
        }
        return new Step.Reduce(
                new RowMap(weights),
                new Reduction.MeanAroundLowerMedian(Math.max(1, selections - 2 * f)),
                RuleState.NONE,
                scores);
    }

    private int[] nearestToResults(LookResult looked, Round round, int theta, double[] scores) {
        EmbeddedRule embedded = new EmbeddedRule(rule);
        boolean[] gone = new boolean[round.rows()];
        int[] selection = new int[theta];
        for (int k = 0; k < theta; k++) {
            int[] left = IntStream.range(0, gone.length).filter(i -> !gone[i]).toArray();
            double[] squares = embedded.distancesToResult(looked, left, round);
            int best = 0;
            for (int i = 0; i < left.length; i++) {
                scores[left[i]] = squares[i];
                best = squares[i] < squares[best] ? i : best;
            }
            selection[k] = left[best];
            gone[selection[k]] = true;
        }
        return selection;
    }

    private static double[][] squares(LookResult looked, int n) {
        double[][] squares = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                squares[i][j] = looked.squaredDistance(i, j);
            }
        }
        return squares;
    }
}

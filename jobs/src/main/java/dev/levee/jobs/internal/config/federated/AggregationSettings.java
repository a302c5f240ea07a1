package dev.levee.jobs.internal.config.federated;

import dev.levee.federated.Algorithm;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.jobs.internal.config.setting.Setting;
import dev.levee.operators.rounds.training.Oracle;

/** The rule that combines the contributions of a round. */
public record AggregationSettings(
        @Setting(
                        group = "Server",
                        label = "RULE",
                        derived = "average, trimmed-mean for slsgd, or zeno++",
                        help =
                                "Aggregation rule or pipeline, such as \"clip(2) | nnm | "
                                        + "trimmed-mean\".")
                String aggregator,
        @Setting(
                        label = "F",
                        fallback = "0",
                        range = "[0, 10000]",
                        help = "Byzantine devices per round that the rule must tolerate, f.")
                int byzantine,
        @Setting(
                        label = "N",
                        derived = "100 for rules that need scores",
                        range = "[1, 1000000]",
                        help =
                                "Batch of held-out samples (a tenth of the training set) on which"
                                        + " zeno++ scores contributions.")
                Integer oracleBatch,
        @Setting(
                        label = "N",
                        derived = "10 for zeno++ without a barrier",
                        range = "[1, 1000000]",
                        help = "Versions for which zeno++ uses the same gradient of the server.")
                Integer oracleEvery) {
    private static final int ORACLE_EVERY = 10;

    /**
     * Fills in defaults that depend on the algorithm.
     *
     * @throws IllegalArgumentException if a setting has no effect with the rule; one sentence
     */
    AggregationSettings completed(Algorithm algorithm) {
        String name = aggregator != null ? aggregator : algorithm.server().aggregator();
        Rule rule = rule(name);
        boolean scores = rule != null && rule.needsScores();
        if (oracleBatch != null && !scores) {
            throw new IllegalArgumentException(
                    "--oracle-batch is for rules that need scores, such as zeno++, got --aggregator "
                            + name);
        }
        boolean lazy = Pacing.of(algorithm).reusesGradient(rule);
        if (oracleEvery != null && !lazy) {
            throw new IllegalArgumentException(
                    "--oracle-every is for zeno++ without a barrier, got --aggregator %s with --algorithm %s"
                            .formatted(name, algorithm.word()));
        }
        return new AggregationSettings(
                name,
                byzantine,
                oracleBatch == null && scores ? Integer.valueOf(Oracle.BATCH_SIZE) : oracleBatch,
                oracleEvery == null && lazy ? Integer.valueOf(ORACLE_EVERY) : oracleEvery);
    }

    /** The rule, null if its name is unknown, which others report. */
    Rule rule() {
        return rule(aggregator);
    }

    private static Rule rule(String name) {
        try {
            return Rules.parse(name);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** The oracle that scores contributions, null if the rule needs no scores. */
    Oracle oracle() {
        return oracleBatch == null ? null : new Oracle(null, oracleBatch);
    }
}

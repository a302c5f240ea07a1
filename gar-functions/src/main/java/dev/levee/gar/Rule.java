package dev.levee.gar;

import java.io.Serializable;
import java.util.OptionalDouble;

/**
 * A robust aggregation rule, or a whole pipeline of pre-aggregations and a rule: look, decide,
 * reduce.
 *
 * <p>A rule never sees a gradient. It declares what it wants to know about the rows ({@link
 * #look}), and from those numbers decides which mixtures of rows are reduced and how. So the same
 * rule runs on rows in one array and on rows spread over many machines, with the same bits.
 * Implementations are immutable, deterministic and thread-safe. Ties go to the lowest row; rows
 * come ordered by worker id.
 */
public interface Rule extends Serializable {
    /** Name with parameters, in the form that {@link Rules#parse} reads back. */
    String name();

    /** Least number of rows with which the rule tolerates {@code f} Byzantine ones. */
    int minimumRows(int f);

    /** The limit in words, for error messages, such as {@code n ≥ 2f + 3}. */
    String limit();

    /** What has to be known about the rows first. */
    Look look();

    /**
     * True if {@link Reference#PREVIOUS} is used, so that the aggregate has to be kept from round
     * to round.
     */
    default boolean needsPrevious() {
        return look().references().contains(Reference.PREVIOUS);
    }

    /** True if {@link Round#scores} has to be given. */
    default boolean needsScores() {
        return false;
    }

    /**
     * Δ of the variance condition κ·Δ·√E‖g − Eg‖² ≤ ‖∇L‖, κ > 1, under which the rule is proven to
     * point downhill (El-Mhamdi et al., "Genuinely Distributed Byzantine Machine Learning", PODC
     * 2020, and Guerraoui et al., "GARFIELD", DSN 2021).
     *
     * @param rows number of rows aggregated, q
     * @param f number of Byzantine ones among them
     * @return Δ, empty where none is published
     */
    default OptionalDouble varianceFactor(int rows, int f) {
        return OptionalDouble.empty();
    }

    /**
     * Decides from a look. In a later phase, build maps from {@code mixed} (see {@link
     * RowMap#after}), so that the rule also works behind pre-aggregations, where {@code mixed}
     * holds their mixtures.
     *
     * @param phase 0 for {@link #look}, then one more for each {@link Step.LookAgain} answered in
     *     this round
     * @param mixed the map of the rows that were looked at; the identity in phase 0
     * @param looked what was seen
     * @param round the round; its number of rows and f satisfy {@link #minimumRows}
     * @param state what this rule returned in the previous round, {@link RuleState#NONE} at first
     */
    Step decide(int phase, RowMap mixed, Looked looked, Round round, RuleState state);

    /** Checks n and f before anything starts. */
    default void check(int n, int f) {
        if (n < minimumRows(f)) {
            throw new IllegalArgumentException(
                    name()
                            + " needs "
                            + limit()
                            + ": with f = "
                            + f
                            + " that is "
                            + minimumRows(f)
                            + " rows, got "
                            + n);
        }
    }
}

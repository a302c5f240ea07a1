package dev.levee.gar;

import java.io.Serializable;
import java.util.List;
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

    /**
     * Least number of rows with which the rule tolerates {@code f} Byzantine ones; the largest int
     * if it is beyond. {@link #check} asks for more than {@code f} rows in any case.
     */
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
     * True if a row that has no part in the aggregate was refused, so that it is to be counted
     * against its sender; false if others were merely better.
     */
    default boolean refuses() {
        return false;
    }

    /**
     * True if rows may carry {@link Round#weights}. A rule for which weights mean nothing refuses
     * them, so that nobody believes that they counted.
     */
    default boolean takesWeights() {
        return false;
    }

    /**
     * True if what neighbours on a graph say is to carry the weights of a mixing matrix whose rows
     * and columns sum to one, where their numbers of neighbours differ.
     */
    default boolean gossips() {
        return false;
    }

    /**
     * Ids of the senders without whose rows the rule refuses a round, because it trusts them. Who
     * gathers rows should wait for theirs.
     */
    default List<String> trusted() {
        return List.of();
    }

    /**
     * The same rule for one who aggregates for itself: what trusts somebody unless told whom then
     * trusts its own row.
     *
     * @param self id of its row
     */
    default Rule as(String self) {
        return this;
    }

    /**
     * True if the aggregate is the mean of all rows, weighted where they are, and nothing else.
     * Then it can be summed as rows come, and none has to be kept.
     */
    default boolean averages() {
        return false;
    }

    /**
     * True if what the rule makes of gradients holds for what comes with them and is no gradient,
     * such as running statistics of a network; false if it selects rows by their gradients, which
     * says nothing about those.
     */
    default boolean coversBuffers() {
        return averages();
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

    /**
     * Checks a round before it is decided: its limit, and what its rows carry.
     *
     * @throws IllegalArgumentException if a trusted sender's row is missing, scores are missing, or
     *     rows carry scores or weights that the rule does not take
     */
    default void check(Round round) {
        check(round.rows(), round.f());
        for (String id : trusted()) {
            if (round.row(id) < 0) {
                throw new IllegalArgumentException(
                        "%s trusts %s, which is not among the %d rows of round %d"
                                .formatted(name(), id, round.rows(), round.number()));
            }
        }
        if (round.weights().length > 0 && !takesWeights()) {
            throw new IllegalArgumentException(
                    name() + " takes no weights: its rows must come without");
        }
        if (round.scores().length != (needsScores() ? round.rows() : 0)) {
            throw new IllegalArgumentException(
                    "%s needs %s, got %d"
                            .formatted(
                                    name(),
                                    needsScores()
                                            ? "a score for each of " + round.rows() + " rows"
                                            : "no scores",
                                    round.scores().length));
        }
    }

    /**
     * Checks n and f before anything starts.
     *
     * @throws IllegalArgumentException if f is negative or n is not enough for it
     */
    default void check(int n, int f) {
        if (f < 0) {
            throw new IllegalArgumentException("f must not be negative, got " + f);
        }
        int minimum = minimumRows(f);
        long least = Math.max(minimum, f + 1L);
        if (n < least) {
            throw new IllegalArgumentException(
                    "%s needs %s%s: with f = %d that is %d rows%s, got %d"
                            .formatted(
                                    name(),
                                    limit(),
                                    minimum > f || minimum == Integer.MAX_VALUE ? "" : " and n > f",
                                    f,
                                    least,
                                    minimum == Integer.MAX_VALUE ? " or more" : "",
                                    n));
        }
    }
}

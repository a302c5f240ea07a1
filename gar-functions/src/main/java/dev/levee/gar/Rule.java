package dev.levee.gar;

import java.io.Serializable;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A robust aggregation rule, or a pipeline of pre-aggregations and a rule. It looks at the rows,
 * decides, and reduces the rows to one.
 *
 * <p>A rule never sees a gradient. It declares the statistics that it needs ({@link #look}) and
 * decides from them which mixtures of rows to reduce, and how. The same rule therefore runs on one
 * array or on rows spread over many machines, with the same bits. Implementations are immutable,
 * deterministic and thread-safe. Rows are ordered by worker id, and ties go to the lowest row.
 */
public interface Rule extends Serializable {
    /** Name with parameters, in the form that {@link Rules#parse} reads back. */
    String name();

    /**
     * Least number of rows with which the rule tolerates {@code f} Byzantine ones; the largest int
     * if the number does not fit. {@link #check} always requires more than {@code f} rows.
     */
    int minimumRows(int f);

    /**
     * The rule for rounds with this number of participants, including those that do not answer. By
     * default, the same rule.
     */
    default Rule among(int participants) {
        return this;
    }

    /** The limit in words, for error messages, such as {@code n ≥ 2f + 3}. */
    String limit();

    /** The statistics of the rows that the rule decides from; none by default. */
    default Look look() {
        return Look.NOTHING;
    }

    /**
     * The look for a caller that has all rows of a round in one place. It may ask for less than
     * {@link #look()}; decisions are the same.
     */
    default Look look(Round round) {
        return look();
    }

    /**
     * True if the rule uses {@link Reference#PREVIOUS}, so that the aggregate must be kept between
     * rounds.
     */
    default boolean needsPrevious() {
        return look().references().contains(Reference.PREVIOUS);
    }

    /** True if the rule returns a {@link RuleState} that its next decisions depend on. */
    default boolean remembers() {
        return false;
    }

    /** True if {@link Round#scores} are required. */
    default boolean needsScores() {
        return false;
    }

    /** Number of scores that the rule takes for {@code rows} rows: one per row, or none. */
    default int scores(int rows) {
        return needsScores() ? rows : 0;
    }

    /**
     * Requires that the rule takes no scores.
     *
     * @param where end of the message, which says why there are no scores, such as "which a window
     *     does not have"
     * @return the rule
     * @throws IllegalArgumentException if it needs them
     */
    default Rule withoutScores(String where) {
        if (needsScores()) {
            throw new IllegalArgumentException(
                    "%s needs external scores of rows, %s".formatted(name(), where));
        }
        return this;
    }

    /**
     * True if the rule refuses the rows that it leaves out of the aggregate, so that they count
     * against their senders. False if it merely prefers other rows.
     */
    default boolean refuses() {
        return false;
    }

    /**
     * True if rows may have {@link Round#weights}. Other rules refuse weights instead of ignoring
     * them.
     */
    default boolean takesWeights() {
        return false;
    }

    /**
     * True if the rule needs the weights of a mixing matrix when the nodes of a graph differ in
     * their number of neighbors. The rows and columns of a mixing matrix sum to one.
     */
    default boolean gossips() {
        return false;
    }

    /**
     * Ids of the senders that the rule trusts. It refuses rounds without their rows, so callers
     * should wait for them.
     */
    default List<String> trusted() {
        return List.of();
    }

    /**
     * The same rule for a node that aggregates for itself. A rule that trusts a default row then
     * trusts the node's own row.
     *
     * @param self id of the node's row
     */
    default Rule as(String self) {
        return this;
    }

    /**
     * True if the aggregate is just the (weighted) mean of all rows. Rows can then be summed on
     * arrival instead of being stored.
     */
    default boolean averages() {
        return false;
    }

    /**
     * True if the rule's decision also applies to other values that are sent with gradients, such
     * as running statistics of a network. False if the rule selects rows by their gradients, which
     * say nothing about those values.
     */
    default boolean coversBuffers() {
        return averages();
    }

    /**
     * Δ of the variance condition κ·Δ·√E‖g − Eg‖² ≤ ‖∇L‖, κ > 1, under which the rule is proven to
     * point downhill (El-Mhamdi et al., "Genuinely Distributed Byzantine Machine Learning", PODC
     * 2020, and Guerraoui et al., "GARFIELD", DSN 2021).
     *
     * @param rows number of rows, q
     * @param f number of Byzantine rows
     * @return Δ, empty if none is published
     */
    default OptionalDouble varianceFactor(int rows, int f) {
        return OptionalDouble.empty();
    }

    /**
     * Decides from a look. Later phases should build maps from {@code mixed} (see {@link
     * RowMap#after}), so that the rule also works after pre-aggregations.
     *
     * @param phase 0 for {@link #look}, plus one for each {@link Step.LookAgain} answered in this
     *     round
     * @param mixed the map of the rows that were looked at; the identity in phase 0
     * @param looked the result of the look
     * @param round the round; its number of rows and f satisfy {@link #minimumRows}
     * @param state what this rule returned in the previous round, initially {@link RuleState#NONE}
     */
    Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state);

    /**
     * Checks a round before it is decided.
     *
     * @throws IllegalArgumentException if there are too few rows, a trusted sender's row or scores
     *     are missing, or the rule does not accept the scores or weights
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
                    name() + " takes no weights, but its rows have weights");
        }
        int scores = scores(round.rows());
        if (round.scores().length != scores) {
            throw new IllegalArgumentException(
                    "%s needs %s, got %d"
                            .formatted(
                                    name(),
                                    scores > 0
                                            ? "a score for each of " + scores + " rows"
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

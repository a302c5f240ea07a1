package dev.levee.gar;

import java.io.Serializable;

/**
 * A step before the rule: it looks at statistics of the rows, then maps the rows to mixtures.
 * Immutable, deterministic and thread-safe, like {@link Rule}.
 */
public interface PreAggregation extends Serializable {
    /** Name with parameters, in the form that {@link Rules#parse} reads back. */
    String name();

    /** The statistics that this step needs; none by default. */
    default Look look() {
        return Look.NOTHING;
    }

    /**
     * Decides the mixtures.
     *
     * @param looked the result of the look
     * @param round the round, with the number of rows that this step receives
     * @return the rows for the next step, as mixtures of these rows, without references
     */
    RowMap map(LookResult looked, Round round);

    /** Number of output rows for {@code rows} input rows; not decreasing in {@code rows}. */
    default int outputs(int rows) {
        return rows;
    }

    /** Minimum number of rows with {@code f} Byzantine ones. */
    default int minimumRows(int f) {
        return 1;
    }

    /** The limit in words, such as {@code n ≥ f + 1}. */
    default String limit() {
        return "n ≥ 1";
    }

    /** True if rows may have {@link Round#weights}, which the mixtures then take into account. */
    default boolean takesWeights() {
        return false;
    }

    /** True if output row i still belongs to the sender of input row i. */
    default boolean keepsSenders() {
        return true;
    }

    /**
     * The round as the next step sees it. Scores are dropped, because they belong to the original
     * rows.
     *
     * @param round the round as this step sees it
     */
    default Round after(Round round) {
        Round mixed = new Round(outputs(round.rows()), round.f(), round.number(), round.seed());
        return keepsSenders() && mixed.rows() == round.rows()
                ? mixed.withIds(round.ids()).withWeights(round.weights()).withAges(round.ages())
                : mixed;
    }
}

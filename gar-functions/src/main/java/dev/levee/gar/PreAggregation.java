package dev.levee.gar;

import java.io.Serializable;

/**
 * A step that mixes the rows before a rule sees them: look, then map. Immutable, deterministic and
 * thread-safe, like {@link Rule}.
 */
public interface PreAggregation extends Serializable {
    /** Name with parameters, in the form that {@link Rules#parse} reads back. */
    String name();

    /** What has to be known about the rows first. */
    Look look();

    /**
     * Decides the mixtures.
     *
     * @param looked what was seen
     * @param round the round; its number of rows is the number of rows that this step receives
     * @return the rows that the next step receives, as mixtures of these rows (references are not
     *     mixed in)
     */
    RowMap map(Looked looked, Round round);

    /** Number of rows that this step makes of {@code rows} rows; of more rows it makes no fewer. */
    default int outputs(int rows) {
        return rows;
    }

    /** Least number of rows with which this step makes sense with {@code f} Byzantine ones. */
    default int minimumRows(int f) {
        return 1;
    }

    /** The limit in words, such as {@code n ≥ f + 1}. */
    default String limit() {
        return "n ≥ 1";
    }

    /**
     * True if rows may carry {@link Round#weights}: those of a mixture then count in proportion to
     * theirs.
     */
    default boolean takesWeights() {
        return false;
    }

    /** True if row i of the next step still stands for the sender of row i of this one. */
    default boolean keepsSenders() {
        return true;
    }

    /**
     * The round as the next step sees it. Scores do not go along: they are of rows as they were
     * sent.
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

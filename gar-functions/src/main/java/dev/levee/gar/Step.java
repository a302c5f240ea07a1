package dev.levee.gar;

/** A rule's answer to a look: the result as a recipe, or another look at mixed rows. */
public sealed interface Step {
    /**
     * The result: applies {@code map} to the round's rows, and {@code reduction} to the mapped
     * rows.
     *
     * @param map the rows to reduce, over the round's rows and, optionally, the references of the
     *     answered look
     * @param reduction how the mapped rows become one row
     * @param state passed to the rule in the next round
     * @param scores the score of each row, for display; empty if the rule does not score rows
     */
    record Reduce(RowMap map, Reduction reduction, RuleState state, double[] scores)
            implements Step {
        /** A step without scores. */
        public Reduce(RowMap map, Reduction reduction, RuleState state) {
            this(map, reduction, state, new double[0]);
        }
    }

    /**
     * The rule mixes the rows and looks again, at the mixed rows.
     *
     * @param map the mixed rows, over the round's rows and, optionally, this {@code look}'s
     *     references
     * @param look what to measure between them
     */
    record LookAgain(RowMap map, Look look) implements Step {}
}

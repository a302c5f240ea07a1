package dev.levee.gar;

/** What a rule answers to a look: the result as a recipe, or one more look at mixed rows. */
public sealed interface Step {
    /**
     * The aggregate is {@code reduction} over the rows of {@code map} applied to the round's rows.
     *
     * @param map the rows to reduce, as mixtures of the round's rows and, behind them, of the
     *     references of the look that was answered; columns of references may be left out
     * @param reduction how they become one
     * @param state what the rule wants to be handed in the next round
     * @param scores for each row that the rule judged, what it judged it by, for people to read;
     *     empty if it does not score rows
     */
    record Reduce(RowMap map, Reduction reduction, RuleState state, double[] scores)
            implements Step {
        /** A step without scores. */
        public Reduce(RowMap map, Reduction reduction, RuleState state) {
            this(map, reduction, state, new double[0]);
        }
    }

    /**
     * The rule mixes the rows and needs to look again, at the mixed rows.
     *
     * @param map the mixed rows, in terms of the round's rows and, behind them, of this {@code
     *     look}'s references; columns of references may be left out
     * @param look what to measure between them
     */
    record LookAgain(RowMap map, Look look) implements Step {}
}

package dev.levee.operators.rounds.pipeline;

/**
 * A stage's state for a worker, for work that continues from sent values. A step may run again
 * after a failure, so its result replaces its input only when the next step begins.
 *
 * @param before the input of the newest step; null if there is none
 * @param newest the result of the newest step
 */
public record StageState(Sent before, Sent newest) {
    /**
     * The values that a stage has sent.
     *
     * @param round the round that the values were for
     * @param values the values of all the stage's coordinates, in their order; never written after
     */
    public record Sent(long round, float[] values) {}

    /** The values sent for a round, null if unknown. */
    Sent of(long round) {
        if (newest != null && newest.round() == round) {
            return newest;
        }
        return before != null && before.round() == round ? before : null;
    }
}

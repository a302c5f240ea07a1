package dev.levee.operators.rounds.pipeline;

/**
 * A stage's state of a worker, for work that keeps sent values. A step may run again after a
 * failure, so what it made does not replace what it was made of before the next step begins.
 *
 * @param before the start of the newest step; null if there is none
 * @param newest the result of the newest step
 */
public record StageState(Sent before, Sent newest) {
    /**
     * The values that a stage has sent.
     *
     * @param round that it was for
     * @param values the values of all the stage's coordinates, in their order; never written after
     */
    public record Sent(long round, float[] values) {}

    /** The result for a round, null if it is not known. */
    Sent of(long round) {
        if (newest != null && newest.round() == round) {
            return newest;
        }
        return before != null && before.round() == round ? before : null;
    }
}

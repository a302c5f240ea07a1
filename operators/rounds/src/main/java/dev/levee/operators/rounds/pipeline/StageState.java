package dev.levee.operators.rounds.pipeline;

/**
 * What a stage has to remember of a worker, where work keeps what was sent. A step may run again
 * after a failure, so what it made does not replace what it was made of before the next step
 * begins.
 *
 * @param before what the newest step went on from; null if nothing
 * @param newest what the newest step made
 */
public record StageState(Sent before, Sent newest) {
    /**
     * What a stage has sent.
     *
     * @param round that it was for
     * @param values of all the stage's coordinates, in their order; never written after
     */
    public record Sent(long round, float[] values) {}

    /** What was made for a round, null if it is not known. */
    Sent of(long round) {
        if (newest != null && newest.round() == round) {
            return newest;
        }
        return before != null && before.round() == round ? before : null;
    }
}

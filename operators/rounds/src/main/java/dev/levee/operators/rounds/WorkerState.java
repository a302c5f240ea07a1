package dev.levee.operators.rounds;

/**
 * What belongs to one worker and moves with it.
 *
 * @param answered newest round it has answered, −1 before the first
 * @param consumed samples it has drawn
 * @param momentum its momentum vector, null if it keeps none
 */
public record WorkerState(long answered, long consumed, float[] momentum) {
    /** A worker that has done nothing yet. */
    public static final WorkerState FRESH = new WorkerState(-1, 0, null);
}

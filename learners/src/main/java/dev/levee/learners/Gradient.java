package dev.levee.learners;

/**
 * The result of one worker on one batch.
 *
 * @param values the gradient of the mean loss for the trainable coordinates, followed by the new
 *     values of the buffers; the caller may change the array
 * @param loss mean loss of the batch before the step
 * @param unread called at most once, by any thread, when the array is no longer read, so that the
 *     learner may reuse it
 */
public record Gradient(float[] values, double loss, Runnable unread) {
    /** Does nothing, for an array that the learner does not reuse. */
    public static final Runnable NOTHING = () -> {};

    /** A gradient in an array that the learner does not reuse. */
    public Gradient(float[] values, double loss) {
        this(values, loss, NOTHING);
    }
}

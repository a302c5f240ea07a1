package dev.levee.learners;

/**
 * The result of one worker on one batch.
 *
 * @param values the gradient of the mean loss for the trainable coordinates, followed by the new
 *     values of the buffers; who asked for it may change the array
 * @param loss mean loss of the batch before the step
 * @param unread called once, by any thread, when nobody reads the array any more, so that the
 *     learner may use it again; perhaps never
 */
public record Gradient(float[] values, double loss, Runnable unread) {
    /** For an array that its learner does not use again. */
    public static final Runnable NOTHING = () -> {};

    /** A gradient in an array that the learner does not use again. */
    public Gradient(float[] values, double loss) {
        this(values, loss, NOTHING);
    }
}

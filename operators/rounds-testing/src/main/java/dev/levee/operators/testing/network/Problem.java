package dev.levee.operators.testing.network;

/** What is trained. */
public interface Problem {
    /** The first model. */
    float[] initial();

    /**
     * The gradient of a worker's next batch.
     *
     * @param model not to be changed
     * @param draw number of the batch among the worker's, from 0
     */
    float[] gradient(float[] model, int worker, long draw);

    /** How far the model is from what is wanted; training ends when it is small enough. */
    double loss(float[] model);
}

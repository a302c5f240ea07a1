package dev.levee.operators.testing.network;

/** A training problem. */
public interface Problem {
    /** The initial model. */
    float[] initial();

    /**
     * The gradient of a worker's next batch.
     *
     * @param model not to be changed
     * @param draw number of the worker's batch, from 0
     */
    float[] gradient(float[] model, int worker, long draw);

    /** Distance of the model from the goal; training ends when it is small enough. */
    double loss(float[] model);
}

package dev.levee.learners.internal.djl;

import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;

/** Runs a generator and its discriminator for a learner, one step after another. */
public interface PairPasses {
    /**
     * Begins a step.
     *
     * @param step manager that is closed at the end of the step
     * @param flat flat vector of both networks
     * @param training true if gradients are needed
     */
    void begin(PtNDManager step, float[] flat, boolean training);

    /** Generates images from noise. */
    PtNDArray make(PtNDArray noise, Pass pass);

    /**
     * Returns the discriminator's outputs for images.
     *
     * @param learns true if the discriminator learns; false if only the generator does
     */
    PtNDArray judge(PtNDArray images, boolean learns, Pass pass);

    /** Returns the step's gradients of trainable coordinates, and the current values of buffers. */
    float[] collect();
}

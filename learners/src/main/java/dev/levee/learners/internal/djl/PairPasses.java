package dev.levee.learners.internal.djl;

import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;

/** A generator and its discriminator as a learner runs them, one step after the other. */
public interface PairPasses {
    /**
     * Begins a step.
     *
     * @param step manager that ends with it
     * @param flat values of both
     * @param training true if gradients are wanted
     */
    void begin(PtNDManager step, float[] flat, boolean training);

    /** Images of noise. */
    PtNDArray make(PtNDArray noise, Pass pass);

    /**
     * The discriminator's answers to images.
     *
     * @param learns false if only whoever made the images is to learn from it
     */
    PtNDArray judge(PtNDArray images, boolean learns, Pass pass);

    /** The step's gradients of what is trained, and the present values of buffers. */
    float[] collect();
}

package dev.levee.learners.layers;

import dev.levee.connectors.data.Dataset;
import dev.levee.learners.Evaluation;
import dev.levee.learners.FlatVector;
import dev.levee.learners.Layout;
import dev.levee.learners.Model;

import java.util.List;

/** A model that is a chain of layers and can be trained in stages of neighboring layers. */
public interface LayeredModel extends Model {
    /** Neighboring layers that are trained together. */
    interface Stage {
        /** The layout of the stage's tensors in one flat vector. */
        Layout layout();

        /**
         * Returns the stage's part of the whole model's parameters.
         *
         * @param parameters flat vector of the whole model
         */
        float[] parameters(float[] parameters);

        /**
         * Copies the stage's part into a vector of the whole model.
         *
         * @param own flat vector of the stage, such as a gradient
         * @param vector flat vector of the whole model
         */
        void insert(float[] own, float[] vector);

        /**
         * Opens passes that train the layers; the caller closes them.
         *
         * @param recompute true if forward passes keep only their inputs, so that backward passes
         *     must run them again
         * @throws IllegalStateException if native libraries cannot be loaded
         */
        StagePasses newPasses(boolean recompute);
    }

    /** Number of layers. */
    int layers();

    /** The stage of the layers {@code first} to {@code last}, inclusive. */
    Stage stage(int first, int last);

    /**
     * Returns the same bits as {@link dev.levee.learners.Learner#evaluate}, with only one stage's
     * parameters in memory at a time.
     *
     * @param lastLayers index of the last layer of each stage, in order
     * @param parameters the parameters of the whole model
     */
    Evaluation evaluate(List<Integer> lastLayers, FlatVector parameters, Dataset data);

    /**
     * Maximum bytes of heap that {@link #evaluate} takes, not counting the parameters of one stage;
     * 0 if unknown.
     *
     * @param lastLayers index of the last layer of each stage, in order
     */
    default long evaluationBytes(List<Integer> lastLayers) {
        return 0;
    }
}

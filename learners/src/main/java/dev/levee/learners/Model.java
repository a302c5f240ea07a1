package dev.levee.learners;

import java.io.Serializable;
import java.util.List;

/**
 * A model's architecture for samples of a given shape. It is enough to create learners on any
 * machine. It needs no native libraries until a learner is created.
 */
public interface Model extends Serializable {
    /** The name users give, such as {@code mnist-cnn}. */
    String name();

    /** The place of each tensor in the flat parameter vector. */
    Layout layout();

    /**
     * The parameters from which training starts. They depend only on the seed and are computed
     * without native libraries.
     */
    float[] initialParameters(long seed);

    /**
     * The initial parameters as a vector that is read in ranges. Some models compute each range
     * when it is read.
     */
    default FlatVector initial(long seed) {
        return FlatVector.of(initialParameters(seed));
    }

    /**
     * Checks that this process has the native libraries that {@link #newLearner} loads, without
     * loading them.
     *
     * @throws IllegalStateException if libraries are missing; one sentence
     */
    default void requireNatives() {}

    /** The scores of an evaluation besides the loss. Models are compared by the first score. */
    default List<Score> scores() {
        return List.of(Score.ACCURACY);
    }

    /**
     * True if learners run a user's code. They may then throw {@link ParticipantException}, which
     * the run reports to the user.
     */
    default boolean ownCode() {
        return false;
    }

    /**
     * True if participants train with the model's own training loop, {@link Learner#train}, instead
     * of sending a gradient or stepping along gradients.
     */
    default boolean ownLoop() {
        return false;
    }

    /** Creates a learner; the caller closes it. */
    Learner newLearner();
}

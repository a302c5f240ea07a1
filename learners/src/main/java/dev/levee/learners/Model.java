package dev.levee.learners;

import java.io.Serializable;
import java.util.List;

/**
 * A model's architecture for samples of a given shape: enough to create learners anywhere, without
 * native libraries until one is created.
 */
public interface Model extends Serializable {
    /** The name users give, such as {@code mnist-cnn}. */
    String name();

    /** The place of each tensor in the flat parameter vector. */
    Layout layout();

    /**
     * The parameters training starts from: a function of the seed alone, computed without native
     * libraries.
     */
    float[] initialParameters(long seed);

    /**
     * Looks whether this process has what {@link #newLearner} loads; nothing is loaded.
     *
     * @throws IllegalStateException if it has not; one sentence
     */
    default void requireNatives() {}

    /** The scores of an evaluation besides the loss; models are compared by the first. */
    default List<Score> scores() {
        return List.of(Score.ACCURACY);
    }

    /**
     * True if learners run code of a user's, so that they may throw {@link ParticipantException},
     * of which a run tells its user.
     */
    default boolean ownCode() {
        return false;
    }

    /**
     * True if participants train by a loop of the model's own, {@link Learner#train}, instead of
     * sending a gradient or stepping along gradients.
     */
    default boolean ownLoop() {
        return false;
    }

    /** A new learner; the caller closes it. */
    Learner newLearner();
}

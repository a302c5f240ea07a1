package dev.levee.learners;

import java.util.List;

/**
 * A model that forwards calls to another model, except for the methods that an implementation
 * overrides.
 */
public interface WrappedModel extends Model {
    /** The other model. */
    Model model();

    @Override
    default String name() {
        return model().name();
    }

    @Override
    default Layout layout() {
        return model().layout();
    }

    @Override
    default float[] initialParameters(long seed) {
        return model().initialParameters(seed);
    }

    @Override
    default FlatVector initial(long seed) {
        return model().initial(seed);
    }

    @Override
    default void requireNatives() {
        model().requireNatives();
    }

    @Override
    default List<Score> scores() {
        return model().scores();
    }

    @Override
    default boolean ownCode() {
        return model().ownCode();
    }

    @Override
    default Learner newLearner() {
        return model().newLearner();
    }
}

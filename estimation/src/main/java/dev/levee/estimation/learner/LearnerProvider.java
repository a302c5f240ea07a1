package dev.levee.estimation.learner;

/**
 * Creates learners of one name. {@link java.util.ServiceLoader} finds providers: a jar lists its
 * providers in {@code META-INF/services/dev.levee.estimation.learner.LearnerProvider}.
 */
public interface LearnerProvider {
    /** The name in options, in lower case with hyphens between words. */
    String name();

    /**
     * The version of the results. Raise it when a fit to the same rows with the same parameters and
     * seed predicts other values. Estimates do not continue from checkpoints with fits of another
     * version.
     */
    default int version() {
        return 1;
    }

    /**
     * Creates a learner with these parameters.
     *
     * @throws IllegalArgumentException if a parameter is unknown or out of range; one sentence
     */
    Learner create(Parameters parameters);
}

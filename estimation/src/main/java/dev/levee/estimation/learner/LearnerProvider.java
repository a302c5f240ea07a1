package dev.levee.estimation.learner;

/**
 * Makes learners of one name. Providers are found by {@link java.util.ServiceLoader}: a jar names
 * its own in {@code META-INF/services/dev.levee.estimation.learner.LearnerProvider}.
 */
public interface LearnerProvider {
    /** The name in options: lower case, words joined by hyphens. */
    String name();

    /**
     * A learner with these parameters.
     *
     * @throws IllegalArgumentException if one is unknown or out of range; one sentence
     */
    Learner create(Parameters parameters);
}

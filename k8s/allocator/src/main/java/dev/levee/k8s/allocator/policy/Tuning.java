package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.LearningRateRule;
import dev.levee.k8s.allocator.internal.BatchDoubling;

/**
 * The parameters of a policy.
 *
 * @param compute the batch grows only below this compute utilization, 0 to 1
 * @param memory the batch grows only below this memory utilization, 0 to 1
 * @param longestWait seconds after which a waiting job must run, for policies that suspend jobs; 0
 *     to suspend no job, infinite for no limit
 * @param rates how the learning rate follows the global batch
 * @param rhoBound bound on finish-time fairness, at least 1; infinite if there is none
 */
public record Tuning(
        double compute,
        double memory,
        double longestWait,
        LearningRateRule rates,
        double rhoBound) {
    /** The thesis's thresholds, with a learning rate in proportion to the batch. */
    public static final Tuning DEFAULT =
            new Tuning(
                    BatchDoubling.DEFAULT.compute(),
                    BatchDoubling.DEFAULT.memory(),
                    Double.POSITIVE_INFINITY,
                    LearningRateRule.LINEAR,
                    Double.POSITIVE_INFINITY);

    /**
     * Checks the bound on fairness.
     *
     * @throws IllegalArgumentException if it is below 1; one sentence
     */
    public Tuning {
        if (!(rhoBound >= 1)) {
            throw new IllegalArgumentException(
                    "--rho-bound must be at least 1, which is an equal share, got " + rhoBound);
        }
    }

    /** This tuning with another limit on waiting. */
    public Tuning withLongestWait(double seconds) {
        return new Tuning(compute, memory, seconds, rates, rhoBound);
    }

    /** This tuning with another bound on finish-time fairness. */
    public Tuning withRhoBound(double rho) {
        return new Tuning(compute, memory, longestWait, rates, rho);
    }
}

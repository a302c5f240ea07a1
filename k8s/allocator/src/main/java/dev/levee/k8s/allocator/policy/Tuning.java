package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.LearningRateRule;
import dev.levee.k8s.allocator.internal.BatchScaling;

/**
 * The parameters of a policy.
 *
 * @param compute the batch grows only below this compute utilization, 0 to 1
 * @param memory the batch grows only below this memory utilization, 0 to 1
 * @param longestWait seconds after which a job that waits has to run, where a policy suspends jobs;
 *     0 if it may suspend none, infinite if there is no limit
 * @param rates how the learning rate follows the global batch
 */
public record Tuning(double compute, double memory, double longestWait, LearningRateRule rates) {
    /** The thesis's thresholds, and the learning rate in proportion. */
    public static final Tuning DEFAULT =
            new Tuning(
                    BatchScaling.DEFAULT.compute(),
                    BatchScaling.DEFAULT.memory(),
                    Double.POSITIVE_INFINITY,
                    LearningRateRule.LINEAR);

    /** The same with another limit on waiting. */
    public Tuning withLongestWait(double seconds) {
        return new Tuning(compute, memory, seconds, rates);
    }
}

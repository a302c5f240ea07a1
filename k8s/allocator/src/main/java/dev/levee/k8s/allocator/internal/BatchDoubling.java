package dev.levee.k8s.allocator.internal;

import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Measurement;

import java.util.List;

/**
 * ERA's second dimension: it doubles the local batch of a job whose workers have spare compute time
 * and memory.
 *
 * @param compute doubles only below this compute utilization; 1 sets no limit
 * @param memory doubles only below this memory utilization; 1 sets no limit
 */
public record BatchDoubling(double compute, double memory) {
    /** The thesis's thresholds. */
    public static final BatchDoubling DEFAULT = new BatchDoubling(0.85, 0.80);

    /**
     * A local batch and the reason for it.
     *
     * @param localBatch samples per worker and round
     * @param why the reason, for people
     */
    public record Choice(int localBatch, String why) {}

    /** Chooses the local batch of a job that will have the given number of workers. */
    public Choice next(JobView job, int workers) {
        int batch = Math.min(job.localBatch(), job.memory().batchCeiling());
        if (batch < job.localBatch()) {
            return new Choice(batch, "batch halved to " + batch + ", the most that fits");
        }
        List<Measurement> history = job.memory().history();
        Measurement last = history.isEmpty() ? null : history.get(history.size() - 1);
        if (workers == 0 || last == null || last.localBatch() != batch) {
            return new Choice(batch, "batch " + batch + " is not measured yet");
        }
        String used =
                "compute "
                        + percent(last.computeUtilisation())
                        + ", memory "
                        + percent(last.memoryUtilisation());
        if (reached(last.computeUtilisation(), compute)
                || reached(last.memoryUtilisation(), memory)) {
            return new Choice(batch, "batch stays at " + batch + " (" + used + ")");
        }
        if (2L * batch > job.memory().batchCeiling()) {
            return new Choice(batch, "batch stays at " + batch + ": twice that ran out of memory");
        }
        if (2L * batch * workers > job.spec().bounds().maxGlobalBatch()) {
            return new Choice(
                    batch,
                    "batch stays at %s: %s × %s would exceed the maximum of %s"
                            .formatted(
                                    batch,
                                    workers,
                                    2L * batch,
                                    job.spec().bounds().maxGlobalBatch()));
        }
        return new Choice(2 * batch, "batch doubles to " + 2 * batch + " (" + used + ")");
    }

    private static String percent(double share) {
        return Double.isNaN(share) ? "unknown" : Math.round(100 * share) + " %";
    }

    private static boolean reached(double used, double threshold) {
        return threshold < 1 && used >= threshold;
    }
}

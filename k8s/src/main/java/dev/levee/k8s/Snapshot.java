package dev.levee.k8s;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * All that a decision depends on.
 *
 * @param now when it is made
 * @param slots workers that the cluster has room for
 * @param scalingRounds how many decisions so far changed some running job's workers
 * @param jobs jobs that run or wait, in order of submission (ties by name)
 */
public record Snapshot(Instant now, int slots, long scalingRounds, List<JobView> jobs) {
    private static final Comparator<JobView> QUEUE =
            Comparator.comparing((JobView job) -> job.spec().submitted())
                    .thenComparing(JobView::id);

    /** Puts jobs in order. */
    public Snapshot {
        if (slots < 0) {
            throw new IllegalArgumentException("slots must not be negative, got " + slots);
        }
        jobs = jobs.stream().sorted(QUEUE).toList();
    }
}

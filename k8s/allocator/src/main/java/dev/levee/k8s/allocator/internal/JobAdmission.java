package dev.levee.k8s.allocator.internal;

import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Snapshot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;

/** Selects the jobs that take part in a decision. */
public final class JobAdmission {
    private JobAdmission() {}

    /**
     * Returns the names of the running jobs, and of waiting jobs in order of submission up to the
     * first that does not fit. If a cluster has become too small for its running jobs, jobs that
     * can only run with exactly their current workers stay first, then the earliest jobs.
     *
     * @param need number of workers that a job must get if it takes part
     */
    public static Set<String> of(Snapshot snapshot, ToIntFunction<JobView> need) {
        List<JobView> order = new ArrayList<>(snapshot.jobs());
        order.sort(Comparator.comparingInt(JobAdmission::turn)); // a stable sort
        Set<String> admitted = new HashSet<>();
        long used = 0;
        for (JobView job : order) {
            int needed = need.applyAsInt(job);
            if (used + needed <= snapshot.slots()) {
                used += needed;
                admitted.add(job.id());
            } else if (!job.running()) {
                break;
            }
        }
        return admitted;
    }

    private static int turn(JobView job) {
        if (!job.running()) {
            return 2;
        }
        return job.least() == job.workers() && job.most() == job.workers() ? 0 : 1;
    }
}

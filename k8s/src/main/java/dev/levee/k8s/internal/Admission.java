package dev.levee.k8s.internal;

import dev.levee.k8s.JobView;
import dev.levee.k8s.Snapshot;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;

/** Which jobs take part in a decision. */
public final class Admission {
    private Admission() {}

    /**
     * Names of the running jobs, and of waiting ones in order of submission up to the first that
     * does not fit. Where a cluster has shrunk below what running jobs need, the earliest stay.
     *
     * @param need workers that a job must get if it takes part
     */
    public static Set<String> of(Snapshot snapshot, ToIntFunction<JobView> need) {
        List<JobView> order = new ArrayList<>(snapshot.jobs());
        order.sort((a, b) -> Boolean.compare(b.running(), a.running())); // stable
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
}

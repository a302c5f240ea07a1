package dev.levee.k8s.allocator.internal;

import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Snapshot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Selects the jobs that may not wait until the next decision. */
public final class MustRun {
    private MustRun() {}

    /**
     * Returns the names of these jobs, as far as their minima fit: running jobs that cannot be
     * paused or can only run with their current workers; waiting jobs that have waited as long as
     * the limit; and, with a finite limit, running jobs that have not yet run as long as they
     * waited.
     *
     * @param longestWait seconds after which a waiting job must run; 0 if running jobs must not be
     *     suspended; infinite if there is no limit
     */
    public static Set<String> of(Snapshot snapshot, double longestWait) {
        List<JobView> order = new ArrayList<>();
        for (JobView job : snapshot.jobs()) {
            if (due(job, longestWait)) {
                order.add(job);
            }
        }
        order.sort(
                Comparator.comparingInt(MustRun::turn)
                        .thenComparingDouble(MustRun::patience)); // a stable sort
        Set<String> names = new HashSet<>();
        long used = 0;
        for (JobView job : order) {
            if (used + job.least() <= snapshot.slots()) {
                used += job.least();
                names.add(job.id());
            } else if (!job.running()) {
                break; // smaller jobs must not overtake it
            }
        }
        return names;
    }

    private static boolean due(JobView job, double longestWait) {
        if (job.stays()) {
            return true;
        }
        double waited = job.memory().waitedSeconds();
        return job.running()
                ? longestWait == 0 || waited > 0 && Double.isFinite(longestWait)
                : waited >= longestWait;
    }

    /** The sort key of jobs: longest wait first; running jobs keep their order of submission. */
    private static double patience(JobView job) {
        return job.running() ? 0 : -job.memory().waitedSeconds();
    }

    private static int turn(JobView job) {
        if (job.stays()) {
            return 0;
        }
        return job.running() ? 1 : 2;
    }
}

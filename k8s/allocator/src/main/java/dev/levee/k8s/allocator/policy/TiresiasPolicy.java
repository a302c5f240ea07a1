package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.Snapshot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Two queues, first in first out; a job is demoted once it has attained so many worker-seconds (Gu
 * et al., "Tiresias", NSDI 2019, as the Pollux artifact configures it: 16 GPU-hours, no promotion).
 * A job runs with what it asks for or not at all; a smaller one behind may pass one that does not
 * fit. A demoted job waits for as long as newer short ones keep coming.
 */
final class TiresiasPolicy implements Policy {
    private static final double DEMOTION_WORKER_SECONDS = 57_600;

    @Override
    public String name() {
        return "tiresias";
    }

    @Override
    public boolean startsOnArrival() {
        return false;
    }

    @Override
    public boolean elastic() {
        return false;
    }

    @Override
    public List<Decision> decide(Snapshot snapshot) {
        List<JobView> order = new ArrayList<>(snapshot.jobs());
        order.sort(Comparator.comparing(TiresiasPolicy::demoted)); // stable
        Map<String, Integer> workers = new HashMap<>();
        int free = snapshot.slots();
        for (JobView job : order) {
            int needed = job.start();
            int given = needed <= free ? needed : 0;
            workers.put(job.id(), given);
            free -= given;
        }
        return Shares.decide(
                snapshot,
                job -> workers.get(job.id()),
                (job, n) ->
                        (n > 0 ? "runs" : "waits")
                                + (demoted(job)
                                        ? " from the second queue"
                                        : " from the first queue"));
    }

    private static boolean demoted(JobView job) {
        return job.memory().workerSeconds() >= DEMOTION_WORKER_SECONDS;
    }
}

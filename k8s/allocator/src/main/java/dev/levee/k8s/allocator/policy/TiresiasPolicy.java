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
 * Two first-in-first-out queues. A job moves to the second queue after 16 worker-hours (Gu et al.,
 * "Tiresias", NSDI 2019, as the Pollux artifact configures it: 16 GPU-hours, no promotion). A job
 * runs with the workers it requests or not at all; smaller jobs may overtake a job that does not
 * fit. A demoted job waits as long as new short jobs keep coming.
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
        order.sort(Comparator.comparing(TiresiasPolicy::demoted)); // a stable sort
        Map<String, Integer> workers = new HashMap<>();
        int free = snapshot.slots();
        for (JobView job : order) {
            int needed = job.start();
            int given = needed <= free ? needed : 0;
            workers.put(job.id(), given);
            free -= given;
        }
        return WorkerDecisions.decide(
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

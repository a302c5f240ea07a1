package dev.levee.k8s.allocator;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The core of ERA, independent of any cluster: it receives observations, remembers them, and asks a
 * policy for decisions. A driver such as {@link AllocatorLoop} calls {@link #observe} every two
 * minutes and {@link #decide} every four, right after an observation. Adapters observe the cluster
 * and carry out decisions. Not thread-safe.
 */
public final class ElasticAllocator {
    private final Policy policy;
    private final JobStore store;
    private final Clock clock;
    private final Map<String, Observation> latest = new LinkedHashMap<>();

    /**
     * Creates an allocator that continues from the memory in the store.
     *
     * @param policy the policy that decides
     * @param store the store of the allocator's memory
     * @param clock the time of observations and decisions
     */
    public ElasticAllocator(Policy policy, JobStore store, Clock clock) {
        this.policy = policy;
        this.store = store;
        this.clock = clock;
    }

    /**
     * Takes the observations of all jobs. Jobs that are missing no longer exist. Impossible values
     * count as unknown.
     */
    public void observe(List<Observation> observations) {
        Instant now = clock.instant();
        int jobs = (int) observations.stream().filter(seen -> !seen.phase().ended()).count();
        latest.clear();
        for (Observation said : observations) {
            Observation seen = ReportFilter.of(said);
            String job = seen.spec().id();
            JobMemory before = store.find(job).orElseGet(() -> JobMemory.empty(now));
            store.save(job, before.observed(now, seen, jobs));
            latest.put(job, seen);
        }
        store.flush();
    }

    /**
     * Shares the cluster among its jobs again, and forgets jobs that no longer exist. A job that
     * has ended, or whose healthy workers no longer suffice, loses its workers.
     *
     * @param slots number of workers that the cluster has room for
     * @return first the decisions that release such workers, then one decision for each job that
     *     runs or waits, in order of submission
     */
    public List<Decision> decide(int slots) {
        return decide(List.of(new SlotClass(1, slots)));
    }

    /** As {@link #decide(int)}, on a cluster whose slots differ in speed. */
    public List<Decision> decide(List<SlotClass> classes) {
        List<Decision> decisions = new ArrayList<>();
        List<JobView> views = new ArrayList<>();
        for (Observation seen : latest.values()) {
            if (seen.phase().ended() || crippled(seen)) {
                if (seen.workers() > 0) {
                    decisions.add(giveBack(seen));
                }
                continue;
            }
            views.add(view(seen));
        }
        collectGarbage();
        Snapshot snapshot = new Snapshot(clock.instant(), classes, store.scalingRounds(), views);
        List<Decision> shared = policy.decide(snapshot);
        remember(snapshot, shared);
        store.flush();
        decisions.addAll(shared);
        return decisions;
    }

    private static boolean crippled(Observation seen) {
        return seen.phase() == JobPhase.RUNNING
                && seen.healthyWorkers() < seen.spec().bounds().minWorkers();
    }

    private static Decision giveBack(Observation seen) {
        String why =
                seen.phase() == JobPhase.RUNNING
                        ? "only %d of %d workers are healthy and it needs %d: its workers are released"
                                .formatted(
                                        seen.healthyWorkers(),
                                        seen.workers(),
                                        seen.spec().bounds().minWorkers())
                        : "has %s: its workers are released"
                                .formatted(seen.phase() == JobPhase.FAILED ? "failed" : "finished");
        return new Decision(
                seen.spec().id(), 0, seen.localBatch(), seen.spec().bounds().learningRate(), why);
    }

    private JobView view(Observation seen) {
        JobMemory memory = store.find(seen.spec().id()).orElseThrow();
        boolean hurt = seen.phase() == JobPhase.RUNNING && seen.healthyWorkers() < seen.workers();
        return new JobView(
                seen.spec(),
                hurt ? seen.healthyWorkers() : seen.workers(),
                hurt ? seen.healthyWorkers() : Integer.MAX_VALUE,
                seen.localBatch(),
                memory,
                seen.remainingSamples(),
                memory.pauses().ofRescaling(seen.lastPauseSeconds()),
                seen.progress());
    }

    private void collectGarbage() {
        for (String job : store.jobs()) {
            Observation seen = latest.get(job);
            if (seen == null || seen.phase().ended()) {
                store.remove(job);
            }
        }
    }

    private void remember(Snapshot snapshot, List<Decision> decisions) {
        boolean scaled = false;
        for (int i = 0; i < decisions.size(); i++) {
            JobView job = snapshot.jobs().get(i);
            int workers = decisions.get(i).workers();
            JobMemory memory = job.memory().with(workers);
            if (job.running() && workers != job.workers()) {
                memory = memory.scaled();
                scaled = true;
            }
            store.save(job.id(), memory);
        }
        if (scaled) {
            store.saveScalingRounds(snapshot.scalingRounds() + 1);
        }
    }
}

package dev.levee.k8s.flink.queue;

import dev.levee.k8s.allocator.ClusterObservation;
import dev.levee.k8s.allocator.JobPhase;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.flink.queue.QueueState.Phase;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Merges the runs of a queue into the observed jobs of their cluster. Each run keeps its own id.
 */
final class LineObservations {
    private final Map<String, Observation> latest = new HashMap<>();

    /** The last observation of a run; null if there is none. */
    Observation last(String run) {
        return latest.get(run);
    }

    /**
     * Returns the jobs that belong to no run, then the runs.
     *
     * @param runs the participating runs
     * @param cluster the observed cluster
     */
    ClusterObservation of(List<RunQueue.Entry> runs, ClusterObservation cluster) {
        Map<String, RunQueue.Entry> byJob = new LinkedHashMap<>();
        Set<String> paused = new HashSet<>();
        for (RunQueue.Entry entry : runs) {
            byJob.put(entry.job(), entry);
            for (int i = 0; i < entry.state().generation(); i++) {
                paused.add(entry.run().job(i)); // Flink still shows the ended job
            }
        }
        List<Observation> jobs = new ArrayList<>();
        Map<String, Observation> own = new HashMap<>();
        for (Observation each : cluster.jobs()) {
            RunQueue.Entry entry = byJob.get(each.spec().id());
            if (paused.contains(each.spec().id())) {
                continue;
            }
            if (entry == null) {
                jobs.add(each);
            } else if (!each.phase().ended()) {
                own.put(entry.run().id(), as(each, entry.run().spec()));
            }
        }
        for (RunQueue.Entry entry : byJob.values()) {
            String id = entry.run().id();
            Observation now =
                    entry.state().phase() == Phase.WAITING
                            ? waiting(entry)
                            : own.getOrDefault(id, latest.getOrDefault(id, waiting(entry)));
            own.put(id, now);
            jobs.add(now);
        }
        latest.clear();
        latest.putAll(own);
        return new ClusterObservation(cluster.slots(), jobs);
    }

    private static Observation as(Observation seen, JobSpec spec) {
        return new Observation(
                spec,
                seen.phase(),
                seen.workers(),
                seen.healthyWorkers(),
                seen.localBatch(),
                seen.measurement(),
                seen.outOfMemoryBatch(),
                seen.remainingSamples(),
                seen.lastPauseSeconds(),
                seen.progress());
    }

    private static Observation waiting(RunQueue.Entry entry) {
        JobSpec spec = entry.run().spec();
        QueueState state = entry.state();
        return new Observation(
                spec,
                JobPhase.WAITING,
                0,
                0,
                state.localBatch() > 0 ? state.localBatch() : spec.bounds().localBatch(),
                Optional.empty(),
                0,
                Double.NaN,
                Double.NaN,
                state.progress());
    }
}

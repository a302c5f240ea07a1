package dev.levee.k8s.flink.queue;

import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.allocator.Progress;

import java.util.Objects;

/**
 * The state of a queued run.
 *
 * @param phase its phase
 * @param generation number of its jobs that are over; also the number of its current or next job
 * @param restore URI of the savepoint or checkpoint from which its next job continues; null if it
 *     starts from the beginning
 * @param trigger id of the request to stop with a savepoint; null except in {@link Phase#PAUSING}
 * @param localBatch samples per worker and round when it last ran; 0 if it has not run
 * @param progress its progress when it last ran
 * @param why the reason of the last decision about it
 */
public record QueueState(
        Phase phase,
        int generation,
        String restore,
        String trigger,
        int localBatch,
        Progress progress,
        String why) {
    /** Checks that only what may be null is null. */
    public QueueState {
        Objects.requireNonNull(phase);
        Objects.requireNonNull(progress);
        Objects.requireNonNull(why);
    }

    /** The phase of a queued run. */
    public enum Phase {
        /** The run has no job. */
        WAITING,
        /** The run's next job is being submitted; Flink may or may not know it. */
        STARTING,
        /** The run has a job, which may still wait for slots in Flink. */
        RUNNING,
        /** The run's job has been asked to stop with a savepoint. */
        PAUSING,
        /** The run was canceled, or has failed. */
        ENDED
    }

    /** The state of a new run. */
    static QueueState fresh() {
        return new QueueState(
                Phase.WAITING, 0, null, null, 0, Progress.UNKNOWN, "has just been queued");
    }

    QueueState starting() {
        return new QueueState(Phase.STARTING, generation, restore, null, localBatch, progress, why);
    }

    /** The state after a start whose job the cluster does not know. */
    QueueState notStarted() {
        return new QueueState(Phase.WAITING, generation, restore, null, localBatch, progress, why);
    }

    QueueState running() {
        return new QueueState(Phase.RUNNING, generation, restore, null, localBatch, progress, why);
    }

    /** The state after a request to stop the job, with the batch and progress last observed. */
    QueueState pausing(String request, Observation seen) {
        return new QueueState(
                Phase.PAUSING,
                generation,
                restore,
                request,
                seen.localBatch(),
                seen.progress(),
                why);
    }

    /** The state after a job that is over, from which the next job continues. */
    QueueState paused(String from) {
        return new QueueState(Phase.WAITING, generation + 1, from, null, localBatch, progress, why);
    }

    QueueState ended(String reason) {
        return new QueueState(Phase.ENDED, generation, restore, null, localBatch, progress, reason);
    }

    QueueState because(String reason) {
        return new QueueState(phase, generation, restore, trigger, localBatch, progress, reason);
    }
}

package dev.levee.k8s.flink.queue;

import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.allocator.Progress;

/**
 * The state of a queued run.
 *
 * @param phase its state at the allocator
 * @param generation how often it was paused; the job of this number is its present or next one
 * @param restore URI of the savepoint or checkpoint that its next job continues from; null if it
 *     begins
 * @param trigger id of the request to stop with a savepoint; null unless it is {@link
 *     Phase#PAUSING}
 * @param localBatch samples per worker and round, when it ran last; 0 if it has not
 * @param progress how far it had come then
 * @param why the reason that was last given for it
 */
public record QueueState(
        Phase phase,
        int generation,
        String restore,
        String trigger,
        int localBatch,
        Progress progress,
        String why) {

    /** The phase of a queued run. */
    public enum Phase {
        /** It has no job. */
        WAITING,
        /** It has a job, which Flink may still be looking for slots for. */
        RUNNING,
        /** Its job is asked to stop with a savepoint. */
        PAUSING,
        /** It was canceled, or has failed. */
        ENDED
    }

    /** The state of a new run. */
    static QueueState fresh() {
        return new QueueState(
                Phase.WAITING, 0, null, null, 0, Progress.UNKNOWN, "has just been queued");
    }

    QueueState running() {
        return new QueueState(Phase.RUNNING, generation, restore, null, localBatch, progress, why);
    }

    /** Its job, as it was seen, is asked to stop. */
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

    /** It continues from here with its next job. */
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

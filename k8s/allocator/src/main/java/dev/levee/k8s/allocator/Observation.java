package dev.levee.k8s.allocator;

import java.util.Optional;

/**
 * An adapter's view of one job at one moment.
 *
 * @param spec the user's request
 * @param phase its phase
 * @param workers workers it has; 0 while it waits
 * @param healthyWorkers number of workers without a failure
 * @param localBatch samples per worker and round now
 * @param measurement performance since the last change; absent while it is too early to tell
 * @param outOfMemoryBatch the local batch that did not fit since the last observation, and that the
 *     job has halved; 0 if none
 * @param remainingSamples samples left to process; NaN if unknown
 * @param lastPauseSeconds time from its last round before a restart to the first one after it, and
 *     so with the time in which it waited; NaN without a restart
 * @param progress its progress; {@link Progress#UNKNOWN} if unknown
 */
public record Observation(
        JobSpec spec,
        JobPhase phase,
        int workers,
        int healthyWorkers,
        int localBatch,
        Optional<Measurement> measurement,
        int outOfMemoryBatch,
        double remainingSamples,
        double lastPauseSeconds,
        Progress progress) {

    /**
     * Largest local batch that is known to fit after a larger one did not; 0 if every batch has
     * fit.
     */
    public int fittingBatch() {
        return outOfMemoryBatch > 0
                ? Math.max(spec.batches().leastLocal(), outOfMemoryBatch / 2)
                : 0;
    }
}

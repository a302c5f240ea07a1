package dev.levee.k8s.allocator;

import java.util.Optional;

/**
 * An adapter's view of one job at one moment.
 *
 * @param spec the user's request
 * @param phase its phase
 * @param workers workers it has; 0 while it waits
 * @param healthyWorkers those of them that work
 * @param localBatch samples per worker and round now
 * @param measurement how it ran since the last change; absent while it is too early to tell
 * @param outOfMemoryBatch the local batch that did not fit since the last observation and that the
 *     job has halved; 0 if none
 * @param remainingSamples samples left to process; NaN if unknown
 * @param lastPauseSeconds how long the last rescaling stopped it; NaN if it was never rescaled
 * @param progress how far it has come; {@link Progress#UNKNOWN} if unknown
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

    /** Largest local batch known to fit because a larger one did not; 0 if all did. */
    public int fittingBatch() {
        return outOfMemoryBatch > 0
                ? Math.max(spec.bounds().localBatch(), outOfMemoryBatch / 2)
                : 0;
    }
}

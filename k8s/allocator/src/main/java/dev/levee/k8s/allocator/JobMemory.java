package dev.levee.k8s.allocator;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The facts about a job that are kept between decisions, and across restarts of the allocator.
 *
 * @param history the freshest measurement of each number of workers and of nodes and local batch,
 *     oldest first
 * @param scalings how many decisions changed its number of workers while it ran
 * @param batchCeiling largest local batch known to fit; {@link Integer#MAX_VALUE} until one did not
 * @param workerSeconds workers × seconds it has had
 * @param lastSeen when it was last observed
 * @param lastWorkers how many workers it had then
 * @param waitedSeconds how much longer it has waited than run: grows while it has no workers,
 *     shrinks while it has some, and is never below 0
 */
public record JobMemory(
        List<Measurement> history,
        int scalings,
        int batchCeiling,
        double workerSeconds,
        Instant lastSeen,
        int lastWorkers,
        double waitedSeconds) {
    /** Configurations remembered; older ones say little about how a job runs now. */
    private static final int LONGEST_HISTORY = 64;

    /** Copies what is handed in. */
    public JobMemory {
        history = List.copyOf(history);
    }

    /** The memory of a job that has not waited. */
    public JobMemory(
            List<Measurement> history,
            int scalings,
            int batchCeiling,
            double workerSeconds,
            Instant lastSeen,
            int lastWorkers) {
        this(history, scalings, batchCeiling, workerSeconds, lastSeen, lastWorkers, 0);
    }

    /** The memory of a job that is seen for the first time. */
    public static JobMemory empty(Instant now) {
        return new JobMemory(List.of(), 0, Integer.MAX_VALUE, 0, now, 0);
    }

    /** After one more observation. */
    public JobMemory observed(Instant now, Observation seen) {
        List<Measurement> measured = new ArrayList<>(history);
        seen.measurement()
                .ifPresent(
                        fresh -> {
                            measured.removeIf(
                                    old ->
                                            old.workers() == fresh.workers()
                                                    && old.nodes() == fresh.nodes()
                                                    && old.localBatch() == fresh.localBatch());
                            measured.add(fresh);
                        });
        while (measured.size() > LONGEST_HISTORY) {
            measured.remove(0);
        }
        int ceiling = batchCeiling;
        if (seen.outOfMemoryBatch() > 0) {
            ceiling = Math.min(ceiling, seen.fittingBatch());
        }
        double seconds = (now.toEpochMilli() - lastSeen.toEpochMilli()) / 1e3;
        return new JobMemory(
                measured,
                scalings,
                ceiling,
                workerSeconds + seconds * lastWorkers,
                now,
                seen.workers(),
                Math.max(0, waitedSeconds + (lastWorkers > 0 ? -seconds : seconds)));
    }

    /** After its number of workers was changed. */
    public JobMemory scaled() {
        return new JobMemory(
                history,
                scalings + 1,
                batchCeiling,
                workerSeconds,
                lastSeen,
                lastWorkers,
                waitedSeconds);
    }

    /** A copy with a new number of workers. */
    public JobMemory with(int workers) {
        return new JobMemory(
                history, scalings, batchCeiling, workerSeconds, lastSeen, workers, waitedSeconds);
    }
}

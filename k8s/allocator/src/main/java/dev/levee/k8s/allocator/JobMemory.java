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
 * @param contention with how many jobs it has shared the cluster
 */
public record JobMemory(
        List<Measurement> history,
        int scalings,
        int batchCeiling,
        double workerSeconds,
        Instant lastSeen,
        int lastWorkers,
        double waitedSeconds,
        Contention contention) {
    /** Configurations remembered; older ones say little about how a job runs now. */
    private static final int LONGEST_HISTORY = 64;

    /**
     * With how many jobs a job has shared the cluster, itself included.
     *
     * @param seconds how long it has been known
     * @param jobSeconds jobs × seconds over that time
     */
    public record Contention(double seconds, double jobSeconds) {
        /** Memory of a new job. */
        public static final Contention NONE = new Contention(0, 0);

        /** Mean number of jobs, at least 1. */
        public double mean() {
            return seconds > 0 ? Math.max(1, jobSeconds / seconds) : 1;
        }

        private Contention after(double passed, int jobs) {
            return new Contention(seconds + passed, jobSeconds + passed * jobs);
        }
    }

    /** Copies the arguments. */
    public JobMemory {
        history = List.copyOf(history);
    }

    /** The memory of a job that has not waited and is new. */
    public JobMemory(
            List<Measurement> history,
            int scalings,
            int batchCeiling,
            double workerSeconds,
            Instant lastSeen,
            int lastWorkers) {
        this(
                history,
                scalings,
                batchCeiling,
                workerSeconds,
                lastSeen,
                lastWorkers,
                0,
                Contention.NONE);
    }

    /** The memory of a job that is seen for the first time. */
    public static JobMemory empty(Instant now) {
        return new JobMemory(List.of(), 0, Integer.MAX_VALUE, 0, now, 0);
    }

    /**
     * After one more observation.
     *
     * @param jobs jobs that run or wait now
     */
    public JobMemory observed(Instant now, Observation seen, int jobs) {
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
                Math.max(0, waitedSeconds + (lastWorkers > 0 ? -seconds : seconds)),
                contention.after(seconds, jobs));
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
                waitedSeconds,
                contention);
    }

    /** A copy with a new number of workers. */
    public JobMemory with(int workers) {
        return new JobMemory(
                history,
                scalings,
                batchCeiling,
                workerSeconds,
                lastSeen,
                workers,
                waitedSeconds,
                contention);
    }
}

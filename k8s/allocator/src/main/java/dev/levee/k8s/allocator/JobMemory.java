package dev.levee.k8s.allocator;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The facts about a job that are kept between decisions, and across restarts of the allocator.
 *
 * @param history the latest measurement for each combination of workers, nodes and local batch,
 *     oldest first
 * @param scalings number of decisions that changed its number of workers while it ran
 * @param batchCeiling largest local batch known to fit; {@link Integer#MAX_VALUE} until a batch did
 *     not fit
 * @param workerSeconds sum over time of workers × seconds
 * @param lastSeen when the job was last observed
 * @param lastWorkers number of its workers at that time
 * @param waitedSeconds time that it has waited minus time that it has run: grows while it has no
 *     workers, shrinks while it has workers, and is never below 0
 * @param contention number of jobs with which it has shared the cluster
 * @param pauses which of its reported pauses are those of rescalings
 */
public record JobMemory(
        List<Measurement> history,
        int scalings,
        int batchCeiling,
        double workerSeconds,
        Instant lastSeen,
        int lastWorkers,
        double waitedSeconds,
        Contention contention,
        Pauses pauses) {
    /** Maximum number of measurements. Older ones say little about how the job runs now. */
    private static final int LONGEST_HISTORY = 64;

    /**
     * The mean number of jobs that shared the cluster since a job was first seen, itself included.
     *
     * @param seconds seconds since the job was first seen
     * @param jobSeconds sum of jobs × seconds over that time
     */
    public record Contention(double seconds, double jobSeconds) {
        /** The contention of a new job. */
        public static final Contention NONE = new Contention(0, 0);

        /** Mean number of jobs, at least 1. */
        public double mean() {
            return seconds > 0 ? Math.max(1, jobSeconds / seconds) : 1;
        }

        private Contention after(double passed, int jobs) {
            return new Contention(seconds + passed, jobSeconds + passed * jobs);
        }
    }

    /**
     * Tells pauses of rescalings from those in which the job waited. A job cannot tell them apart:
     * it reports the time from its last round before a restart to the first one after it.
     *
     * @param idle when the job was last seen without workers; before that, when it was first seen
     * @param waited the reported pause that began before then; NaN if there is none
     */
    public record Pauses(Instant idle, double waited) {
        /** The pauses of a job that is first seen now. */
        public static Pauses since(Instant now) {
            return new Pauses(now, Double.NaN);
        }

        /** A reported pause if it is that of a rescaling, otherwise NaN. */
        public double ofRescaling(double reported) {
            return reported == waited ? Double.NaN : reported;
        }

        private Pauses after(Instant now, Observation seen) {
            if (seen.workers() == 0) {
                return new Pauses(now, waited);
            }
            double began = now.toEpochMilli() - 1e3 * seen.lastPauseSeconds();
            return began < idle.toEpochMilli() ? new Pauses(idle, seen.lastPauseSeconds()) : this;
        }
    }

    /** Copies the arguments. */
    public JobMemory {
        history = List.copyOf(history);
    }

    /** Creates memory without waiting time and contention. */
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
                Contention.NONE,
                Pauses.since(lastSeen));
    }

    /** The memory of a job that is seen for the first time. */
    public static JobMemory empty(Instant now) {
        return new JobMemory(List.of(), 0, Integer.MAX_VALUE, 0, now, 0);
    }

    /**
     * This memory after one more observation. No time has passed if the clock was set back.
     *
     * @param jobs number of jobs that run or wait now
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
        double seconds = Math.max(0, now.toEpochMilli() - lastSeen.toEpochMilli()) / 1e3;
        return new JobMemory(
                measured,
                scalings,
                ceiling,
                workerSeconds + seconds * lastWorkers,
                now,
                seen.workers(),
                Math.max(0, waitedSeconds + (lastWorkers > 0 ? -seconds : seconds)),
                contention.after(seconds, jobs),
                pauses.after(now, seen));
    }

    /** This memory after a change of the number of workers. */
    public JobMemory scaled() {
        return new JobMemory(
                history,
                scalings + 1,
                batchCeiling,
                workerSeconds,
                lastSeen,
                lastWorkers,
                waitedSeconds,
                contention,
                pauses);
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
                contention,
                pauses);
    }
}

package dev.levee.k8s.allocator;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Jobs to test with. */
public final class Jobs {
    /** When tests happen. */
    public static final Instant NOW = Instant.ofEpochSecond(10_000);

    private Jobs() {}

    /** A request that came so many seconds after the epoch. */
    public static JobSpec spec(String id, long submitted, int min, int start, int max) {
        return new JobSpec(
                id,
                Instant.ofEpochSecond(submitted),
                new JobBounds(min, max, start, 16, 1 << 20, 0.1));
    }

    /** A job with measurements. */
    public static JobView view(JobSpec spec, int workers, Measurement... history) {
        return view(spec, workers, 16, history);
    }

    /** A job with measurements at another batch. */
    public static JobView view(JobSpec spec, int workers, int batch, Measurement... history) {
        JobMemory memory = new JobMemory(List.of(history), 0, Integer.MAX_VALUE, 0, NOW, workers);
        return new JobView(
                spec,
                workers,
                Integer.MAX_VALUE,
                batch,
                memory,
                Double.NaN,
                Double.NaN,
                Progress.UNKNOWN);
    }

    /** A measurement with a local batch of 16 and nothing to gain from a larger one. */
    public static Measurement measured(int workers, double samplesPerSecond) {
        return measured(workers, 16, samplesPerSecond, 0.9, 0.5);
    }

    /** A measurement. */
    public static Measurement measured(
            int workers, int batch, double samplesPerSecond, double compute, double memory) {
        return new Measurement(NOW, workers, batch, samplesPerSecond, compute, memory);
    }

    /** A running job, of which some workers may have failed. */
    public static Observation running(JobSpec spec, int workers, int healthy) {
        return observation(spec, JobPhase.RUNNING, workers, healthy, 16, 0);
    }

    /** Any job. */
    public static Observation observation(
            JobSpec spec, JobPhase phase, int workers, int healthy, int batch, int outOfMemory) {
        return new Observation(
                spec,
                phase,
                workers,
                healthy,
                batch,
                workers > 0
                        ? Optional.of(measured(workers, batch, 10 * workers, 0.5, 0.5))
                        : Optional.empty(),
                outOfMemory,
                Double.NaN,
                Double.NaN,
                Progress.UNKNOWN);
    }
}

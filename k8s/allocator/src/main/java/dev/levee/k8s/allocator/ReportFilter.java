package dev.levee.k8s.allocator;

import java.util.Optional;

/**
 * Removes impossible values from jobs' reports, so that they count as missing. Policies therefore
 * compute with finite numbers only, and a job's report does not change other jobs' numbers.
 */
final class ReportFilter {
    /** Maximum plausible samples per second, even of the largest cluster. */
    private static final double FASTEST = 1e12;

    private static final double SLOWEST = 1e-9;

    /** The smallest plausible share of computing; a share of 0 would promise infinite speed. */
    private static final double LEAST_COMPUTE = 1e-3;

    /** Maximum plausible pause in seconds: a day. */
    private static final double LONGEST_PAUSE = 86_400;

    /** Maximum plausible number of rounds or samples. */
    private static final double MOST = 1e15;

    private ReportFilter() {}

    /** Returns the observation without its impossible values. */
    static Observation of(Observation seen) {
        int workers = Math.max(0, seen.workers());
        int known = seen.localBatch() >= 1 ? seen.localBatch() : seen.spec().bounds().localBatch();
        return new Observation(
                seen.spec(),
                seen.phase(),
                workers,
                Math.max(0, Math.min(workers, seen.healthyWorkers())),
                known,
                seen.measurement().flatMap(ReportFilter::of),
                Math.max(0, seen.outOfMemoryBatch()),
                within(seen.remainingSamples(), 0, MOST),
                within(seen.lastPauseSeconds(), 0, LONGEST_PAUSE),
                of(seen.progress()));
    }

    private static Optional<Measurement> of(Measurement said) {
        boolean possible =
                said.workers() >= 1
                        && said.localBatch() >= 1
                        && said.passes() >= 1
                        && !Double.isNaN(within(said.samplesPerSecond(), SLOWEST, FASTEST));
        return possible
                ? Optional.of(
                        new Measurement(
                                said.at(),
                                said.workers(),
                                said.localBatch(),
                                said.samplesPerSecond(),
                                clamped(said.computeUtilisation()),
                                within(said.memoryUtilisation(), 0, Double.MAX_VALUE),
                                Double.isNaN(within(said.speed(), SLOWEST, FASTEST))
                                        ? 1
                                        : said.speed(),
                                Math.max(1, Math.min(said.workers(), said.nodes())),
                                Math.min(said.localBatch(), said.passes())))
                : Optional.empty();
    }

    private static Progress of(Progress said) {
        return new Progress(
                within(said.rounds(), 0, MOST),
                within(said.left(), -MOST, MOST),
                Math.max(0, said.noiseScale())); // infinity is valid: samples count fully
    }

    /** Limits a share of a round's time to its plausible range; NaN stays NaN. */
    private static double clamped(double share) {
        return Math.max(LEAST_COMPUTE, Math.min(1, share));
    }

    /** Returns the value if it is within the limits, otherwise NaN. */
    private static double within(double value, double least, double most) {
        return value >= least && value <= most ? value : Double.NaN;
    }
}

package dev.levee.k8s.flink;

import dev.levee.k8s.allocator.BatchRange;
import dev.levee.k8s.allocator.Measurement;
import dev.levee.k8s.allocator.Progress;
import dev.levee.k8s.flink.rest.OperatorMetrics;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The metrics of a job's round coordinator; NaN for unknown values.
 *
 * @param samples samples done so far
 * @param samplesTotal samples of the whole run
 * @param activeWorkers workers of a round now
 * @param batchSize samples per worker and round now
 * @param learningRateScale how many times the learning rate that the user's schedule asks for is in
 *     force
 * @param samplesPerSecond throughput since workers or batch changed last
 * @param computeUtilisation share of a round spent on gradients since then, 0 to 1
 * @param memoryUtilisation largest share of a worker's memory used since then, 0 to 1
 * @param outOfMemoryBatch the local batch that did not fit; 0 if none
 * @param pauseSeconds how long the last restart stopped it
 * @param controlTimestamp epoch milliseconds of the control in force; 0 if none
 * @param progress rounds done so far, counted at the batch that it started with
 * @param rounds rounds of the whole run, counted so
 * @param noiseScale the gradient's noise scale in samples
 * @param averagedRows of how many workers' gradients the job's rule makes the mean, as to noise
 */
public record CoordinatorMetrics(
        double samples,
        double samplesTotal,
        double activeWorkers,
        double batchSize,
        double learningRateScale,
        double samplesPerSecond,
        double computeUtilisation,
        double memoryUtilisation,
        double outOfMemoryBatch,
        double pauseSeconds,
        double controlTimestamp,
        double progress,
        double rounds,
        double noiseScale,
        double averagedRows) {
    /** The operator's name, as metrics have it. */
    static final String OPERATOR = "Round_coordinator";

    /** The metrics read, the one first that tells which subtask coordinated last. */
    static final List<String> NAMES =
            List.of(
                    "decidedAt",
                    "samples",
                    "samplesTotal",
                    "activeWorkers",
                    "batchSize",
                    "learningRateScale",
                    "samplesPerSecond",
                    "computeUtilisation",
                    "memoryUtilisation",
                    "outOfMemoryBatch",
                    "pauseSeconds",
                    "controlTimestamp",
                    "progress",
                    "rounds",
                    "noiseScale",
                    "averagedRows");

    static CoordinatorMetrics of(OperatorMetrics read) {
        return new CoordinatorMetrics(
                read.get("samples"),
                read.get("samplesTotal"),
                read.get("activeWorkers"),
                read.get("batchSize"),
                read.get("learningRateScale"),
                read.get("samplesPerSecond"),
                read.get("computeUtilisation"),
                read.get("memoryUtilisation"),
                read.get("outOfMemoryBatch"),
                read.get("pauseSeconds"),
                read.get("controlTimestamp"),
                read.get("progress"),
                read.get("rounds"),
                read.get("noiseScale"),
                read.get("averagedRows"));
    }

    /**
     * The metrics of a job of independent tasks, each of which counts as a round.
     *
     * @param done tasks that are done; NaN if unknown
     * @param all how many there are
     * @param slots how many run at a time
     * @param perSecond tasks per second of all slots
     */
    static CoordinatorMetrics ofTasks(double done, double all, int slots, double perSecond) {
        return new CoordinatorMetrics(
                done,
                all,
                slots,
                Double.isNaN(done) ? Double.NaN : 1,
                1,
                perSecond,
                1,
                Double.NaN,
                0,
                Double.NaN,
                0,
                done,
                all,
                Double.NaN,
                slots);
    }

    /** True if the batch in force is known. */
    boolean knowsBatch() {
        return batchSize >= 1;
    }

    /** Samples left to process; NaN if not known. */
    double remainingSamples() {
        return Math.max(0, samplesTotal - samples);
    }

    /**
     * The progress of the job. A rule that averages fewer rows than there are makes a batch as
     * noisy as a smaller one, which is the same as more noise in each sample.
     *
     * @param counted false if samples of any batch count fully, as if noise were infinite
     */
    Progress progressMade(boolean counted) {
        double share = averagedRows / activeWorkers;
        double noise = counted ? noiseScale / share : Double.POSITIVE_INFINITY;
        return new Progress(progress, rounds - progress, noise);
    }

    /**
     * The measured performance; absent while it is too early to tell. Memory may stay unknown
     * (NaN).
     *
     * @param nodes hosts that its workers are on
     * @param range the batch that a worker may compute at once
     */
    Optional<Measurement> measurement(Instant now, int nodes, BatchRange range) {
        boolean known =
                knowsBatch()
                        && activeWorkers >= 1
                        && samplesPerSecond > 0
                        && Double.isFinite(samplesPerSecond)
                        && Double.isFinite(computeUtilisation);
        return known
                ? Optional.of(
                        new Measurement(
                                now,
                                (int) activeWorkers,
                                (int) batchSize,
                                samplesPerSecond,
                                computeUtilisation,
                                memoryUtilisation,
                                1,
                                nodes,
                                passes(range)))
                : Optional.empty();
    }

    /**
     * Number of passes in which a worker computes its batch; a single one needs two, for the noise.
     */
    private int passes(BatchRange range) {
        if (!range.accumulates()) {
            return 1;
        }
        int passes = ((int) batchSize - 1) / range.mostLocal() + 1;
        return activeWorkers < 2 && batchSize > 1 ? Math.max(2, passes) : passes;
    }
}

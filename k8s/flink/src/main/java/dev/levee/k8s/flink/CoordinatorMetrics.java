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
 * @param learningRateScale factor between the current learning rate and the user's schedule
 * @param samplesPerSecond throughput since the last change of workers or batch
 * @param computeUtilisation share of a round spent on gradients since then, 0 to 1
 * @param memoryUtilisation largest share of a worker's memory used since then, 0 to 1
 * @param outOfMemoryBatch the local batch that did not fit; 0 if none
 * @param pauseSeconds duration of the pause of the last restart
 * @param controlTimestamp epoch milliseconds of the control in force; 0 if none
 * @param progress rounds done so far, counted at the initial batch
 * @param rounds rounds of the whole run, counted at the initial batch
 * @param noiseScale the gradient's noise scale in samples
 * @param averagedRows number of gradients whose mean would be as noisy as the result of the job's
 *     rule
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
    /** The operator's name in metrics. */
    static final String OPERATOR = "Round_coordinator";

    /** Names of the metrics to read. The first one shows which subtask coordinated last. */
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
     * @param done number of completed tasks; NaN if unknown
     * @param all number of all tasks
     * @param slots number of tasks that run at a time
     * @param perSecond tasks per second over all slots
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

    /** Samples left to process; NaN if unknown. */
    double remainingSamples() {
        return Math.max(0, samplesTotal - samples);
    }

    /**
     * The progress of the job. If a rule averages only some of the rows, a batch is as noisy as a
     * smaller one, which is equivalent to more noise per sample.
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
     * @param nodes number of hosts with its workers
     * @param range limits of the batch that a worker computes at once
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
     * Number of passes in which a worker computes its batch. A single worker needs two, to measure
     * the noise.
     */
    private int passes(BatchRange range) {
        if (!range.accumulates()) {
            return 1;
        }
        int passes = ((int) batchSize - 1) / range.mostLocal() + 1;
        return activeWorkers < 2 && batchSize > 1 ? Math.max(2, passes) : passes;
    }
}

package dev.levee.k8s.allocator;

import java.time.Instant;

/**
 * The measured performance of a job during a period without changes.
 *
 * @param at when the measurement was taken
 * @param workers number of active workers at that time
 * @param localBatch samples per worker and round
 * @param samplesPerSecond throughput over all workers
 * @param computeUtilisation share of a round's time spent computing gradients, 0 to 1
 * @param memoryUtilisation share of a worker's memory in use, 0 to 1; NaN if unknown, which counts
 *     as enough free memory
 * @param speed relative speed of the job's slowest slot
 * @param nodes number of machines with its workers
 * @param passes number of gradients that each worker added up in a round
 */
public record Measurement(
        Instant at,
        int workers,
        int localBatch,
        double samplesPerSecond,
        double computeUtilisation,
        double memoryUtilisation,
        double speed,
        int nodes,
        int passes) {
    /** A measurement with the defaults for unknown values: slots of speed 1, one node, one pass. */
    public Measurement(
            Instant at,
            int workers,
            int localBatch,
            double samplesPerSecond,
            double computeUtilisation,
            double memoryUtilisation) {
        this(
                at,
                workers,
                localBatch,
                samplesPerSecond,
                computeUtilisation,
                memoryUtilisation,
                1,
                1,
                1);
    }

    /** Samples per round over all workers. */
    public long globalBatch() {
        return (long) workers * localBatch;
    }
}

package dev.levee.operators.rounds.plan;

import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.training.Planner;

/**
 * The speed of a run, for an allocator. Rates are those of the current number of workers and batch,
 * and NaN until some rounds with them have passed.
 *
 * @param settings settings of the open round
 * @param learningRateScale step size of the round, divided by that of the schedule
 * @param samplesPerSecond throughput over all workers
 * @param computeUtilisation share of the workers' time spent on gradients, 0 to 1
 * @param memoryUtilisation largest share of a worker's memory that a gradient took; NaN if it has
 *     no limit
 * @param failedBatch smallest local batch that took too much memory, 0 for none
 * @param pauseSeconds time from the last round before the newest restart to the first round after
 *     it, lost work included; NaN without a restart
 * @param controlTimestamp timestamp of the current control, milliseconds since the epoch; 0 for
 *     none
 * @param progress progress of the run
 */
public record Performance(
        Settings settings,
        double learningRateScale,
        double samplesPerSecond,
        double computeUtilisation,
        double memoryUtilisation,
        int failedBatch,
        double pauseSeconds,
        long controlTimestamp,
        Planner.Progress progress) {}

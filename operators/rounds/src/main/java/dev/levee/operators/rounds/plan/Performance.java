package dev.levee.operators.rounds.plan;

import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.training.Planner;

/**
 * The speed of a run, for an allocator. Rates are of the present number of workers and batch, and
 * NaN until some rounds with them have passed.
 *
 * @param settings settings of the open round
 * @param learningRateScale how many times the schedule's step size its step size is
 * @param samplesPerSecond throughput over all workers
 * @param computeUtilisation share of the workers' time spent on gradients, 0 to 1
 * @param memoryUtilisation largest share of a worker's memory that a gradient took; NaN if it has
 *     no limit
 * @param failedBatch smallest local batch that took too much memory, 0 for none
 * @param pauseSeconds from the last round before the last restart to the first one behind it, work
 *     that was lost included; NaN if there was none
 * @param controlTimestamp of the control in force, milliseconds since the epoch; 0 for none
 * @param progress how far it has come
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

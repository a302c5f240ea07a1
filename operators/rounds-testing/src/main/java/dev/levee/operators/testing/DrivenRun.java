package dev.levee.operators.testing;

import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.WorkerCounts;
import dev.levee.operators.rounds.training.RoundReport;

import java.util.List;

/**
 * The result of a driven run.
 *
 * @param parameters the final flat vector, of the first server
 * @param models the final flat vector of each server
 * @param rounds one report per round of the first server, in order
 * @param course settings of each round, in order, and of the final model
 * @param workers one entry per worker, in order; a last entry with worker −1 counts unknown senders
 * @param late gradient blocks that came too late
 * @param restores how often the run was restored
 * @param events how many events it took
 * @param micros how long it took, virtual microseconds
 * @param log the log, if it was asked for
 */
public record DrivenRun(
        float[] parameters,
        List<float[]> models,
        List<RoundReport> rounds,
        List<Settings> course,
        List<WorkerCounts> workers,
        long late,
        int restores,
        long events,
        long micros,
        List<String> log) {}

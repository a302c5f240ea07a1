package dev.levee.operators.testing;

import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.report.WorkerCounts;
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
 * @param late gradient blocks that arrived too late
 * @param restores number of restores
 * @param events number of events
 * @param micros duration in virtual microseconds
 * @param log the log, if requested
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

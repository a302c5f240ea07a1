package dev.levee.operators.rounds;

import java.util.List;

/**
 * Everything a finished run leaves behind.
 *
 * @param training what was run
 * @param rounds one report per round, in order
 * @param evaluations one report per evaluated version, in order
 * @param workers one entry per worker, in order; a last entry with worker −1 counts unknown senders
 * @param parameters the final flat parameter vector
 */
public record RunResult(
        Training training,
        List<RoundReport> rounds,
        List<EvaluationReport> evaluations,
        List<WorkerCounts> workers,
        float[] parameters) {}

package dev.levee.operators.rounds;

import java.io.Serializable;

/**
 * What happened in one round.
 *
 * @param round its number, from 0
 * @param decidedAt when it closed, milliseconds since the epoch
 * @param seconds from the previous round's close to this one's
 * @param secondsByPhase the same by {@link Phase} ordinal
 * @param loss mean training loss reported by the workers whose rows were selected
 * @param learningRate step size used
 * @param batchSize samples per worker
 * @param rows workers whose gradients were aggregated, in order
 * @param selected of those, the workers whose rows have weight in the result, in order
 * @param faults workers proven faulty in this round, in order
 * @param progress how far the run had come before it, and what it counted as
 */
public record RoundReport(
        long round,
        long decidedAt,
        double seconds,
        double[] secondsByPhase,
        double loss,
        double learningRate,
        int batchSize,
        int[] rows,
        int[] selected,
        int[] faults,
        Planner.Progress progress)
        implements Serializable {
    /** A round of a run that counts nothing but rounds. */
    public RoundReport(
            long round,
            long decidedAt,
            double seconds,
            double[] secondsByPhase,
            double loss,
            double learningRate,
            int batchSize,
            int[] rows,
            int[] selected,
            int[] faults) {
        this(
                round,
                decidedAt,
                seconds,
                secondsByPhase,
                loss,
                learningRate,
                batchSize,
                rows,
                selected,
                faults,
                Planner.Progress.NONE);
    }

    /** The same round, with what it took: seconds, and those of each phase by its ordinal. */
    public RoundReport took(double total, double[] byPhase) {
        return new RoundReport(
                round,
                decidedAt,
                total,
                byPhase,
                loss,
                learningRate,
                batchSize,
                rows,
                selected,
                faults,
                progress);
    }
}

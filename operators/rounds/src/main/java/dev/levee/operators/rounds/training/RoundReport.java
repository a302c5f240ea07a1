package dev.levee.operators.rounds.training;

import java.io.Serializable;
import java.util.Arrays;

/**
 * The report of one round.
 *
 * @param round its number, from 0
 * @param decidedAt when it closed, milliseconds since the epoch
 * @param seconds from the previous round's close to this one's
 * @param secondsByPhase the same by {@link RoundPhase} ordinal
 * @param loss mean training loss reported by the workers whose rows were selected
 * @param learningRate step size used
 * @param batchSize samples per worker
 * @param rows workers whose gradients were aggregated, in order
 * @param selected of those, the workers whose rows have weight in the result, in order
 * @param faults workers proven faulty in this round, in order
 * @param workers number of participants, n; −1 if unknown
 * @param f number of faulty participants to tolerate, before any was proven faulty; −1 if unknown
 * @param progress progress of the run before the round, and the round's gain
 * @param bases versions that the rows answer, in the order of rows; empty if all answer the version
 *     that opened the round
 * @param overtime true if the round waited for more contributions after its deadline
 * @param refused why the round's secure sum was refused, so the round changed nothing; empty
 *     otherwise
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
        int workers,
        int f,
        Planner.Progress progress,
        long[] bases,
        boolean overtime,
        String refused)
        implements Serializable {
    /** The same report with the duration of the round: total seconds, and seconds by phase. */
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
                workers,
                f,
                progress,
                bases,
                overtime,
                refused);
    }

    /** Age of the version that each row answers, in the order of the rows. */
    public int[] ages() {
        int[] ages = new int[rows.length];
        if (bases.length > 0) {
            Arrays.setAll(ages, i -> Math.toIntExact(round - bases[i]));
        }
        return ages;
    }
}

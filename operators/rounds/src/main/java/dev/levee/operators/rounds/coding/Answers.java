package dev.levee.operators.rounds.coding;

import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Relates the rows of a round to the workers whose answers they are. */
final class Answers {
    private Answers() {}

    /** The row of each worker, −1 if it has not answered. */
    static int[] rows(Round round, int workers) {
        return IntStream.range(0, workers).map(worker -> round.row(Round.worker(worker))).toArray();
    }

    /** The workers that have a row. */
    static int[] present(int[] rows) {
        return IntStream.range(0, rows.length).filter(worker -> rows[worker] >= 0).toArray();
    }

    /** Decodes the mean of the gradients of all shares from these workers' answers. */
    static Step mean(GradientCode code, int[] workers, int[] rows, Round round) {
        double[] weights = code.decode(workers).weights();
        double[] columns = new double[round.rows()];
        for (int i = 0; i < workers.length; i++) {
            columns[rows[workers[i]]] = weights[i] / code.workers();
        }
        return new Step.Reduce(
                new RowMap(new double[][] {columns}), new Reduction.Mean(), RuleState.NONE);
    }

    /**
     * The numbers from 0 to n − 1; the first {@code count} are drawn at random, in random order.
     */
    static int[] drawn(SplittableRandom random, int n, int count) {
        int[] order = IntStream.range(0, n).toArray();
        for (int at = 0; at < count; at++) {
            int other = at + random.nextInt(n - at);
            int swapped = order[at];
            order[at] = order[other];
            order[other] = swapped;
        }
        return order;
    }
}

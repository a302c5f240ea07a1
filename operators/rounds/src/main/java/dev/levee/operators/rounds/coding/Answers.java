package dev.levee.operators.rounds.coding;

import dev.levee.gar.Round;

import java.util.stream.IntStream;

/** Tells which worker's answers each row of a round has. */
final class Answers {
    private Answers() {}

    /** The row of each worker, −1 of one who has not answered. */
    static int[] rows(Round round, int workers) {
        return IntStream.range(0, workers).map(worker -> round.row(Round.worker(worker))).toArray();
    }
}

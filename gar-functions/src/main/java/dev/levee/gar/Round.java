package dev.levee.gar;

/**
 * What a rule knows about the round it decides: everything but the gradients.
 *
 * @param rows number of rows aggregated (q in the papers); proven faults are already taken out
 * @param f upper bound on the number of Byzantine rows among them, at least 0
 * @param number the round's number, from 0
 * @param seed the run's seed; a draw may depend on it, on the round's number and on nothing else
 * @param scores for each row, how much a step along it improved the model elsewhere, for rules that
 *     need it ({@link Rule#needsScores}); empty otherwise
 */
public record Round(int rows, int f, long number, long seed, double[] scores) {
    /** A round without external scores. */
    public Round(int rows, int f, long number, long seed) {
        this(rows, f, number, seed, new double[0]);
    }

    public Round {
        if (rows < 1) {
            throw new IllegalArgumentException("a round needs at least one row, got " + rows);
        }
        if (f < 0) {
            throw new IllegalArgumentException("f must not be negative, got " + f);
        }
    }
}

package dev.levee.gar;

import dev.levee.gar.block.Span;

import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The facts about a round that a rule gets besides the gradients. Create it with {@link #Round(int,
 * int, long, long)} and add {@link #withIds}, {@link #withWeights}, {@link #withAges} and {@link
 * #withScores}; unknown values are empty. The arrays are shared and not changed.
 *
 * @param rows number of rows (q in the papers), not counting proven faults
 * @param f upper bound on the number of Byzantine rows, at least 0
 * @param number the round's number, from 0
 * @param seed the run's seed; draws depend only on it and the round's number
 * @param ids the sender of each row, all different; if empty, row i is from worker i (see {@link
 *     #worker})
 * @param weights the weight of each row, such as its number of samples: finite and above 0; only
 *     ratios matter
 * @param ages the age of each row: the number of model versions since the version that it was
 *     computed on, 0 or more
 * @param scores the score of each row, for rules that need it ({@link Rule#needsScores}): the
 *     improvement of the model by a step along the row, or the result of {@link GradientScored}
 */
public record Round(
        int rows,
        int f,
        long number,
        long seed,
        List<String> ids,
        double[] weights,
        int[] ages,
        double[] scores) {
    private static final double[] NO_NUMBERS = {};
    private static final int[] NO_AGES = {};

    /** A round without further information about its rows. */
    public Round(int rows, int f, long number, long seed) {
        this(rows, f, number, seed, List.of(), NO_NUMBERS, NO_AGES, NO_NUMBERS);
    }

    /** Checks that there is one value per row. */
    public Round {
        if (rows < 1) {
            throw new IllegalArgumentException("a round needs at least one row, got " + rows);
        }
        if (f < 0) {
            throw new IllegalArgumentException("f must not be negative, got " + f);
        }
        ids = List.copyOf(ids);
        checkCount("ids", ids.size(), rows);
        checkCount("weights", weights.length, rows);
        checkCount("ages", ages.length, rows);
        checkCount("scores", scores.length, rows);
        if (new HashSet<>(ids).size() < ids.size()) {
            throw new IllegalArgumentException("two rows of a round have the same id: " + ids);
        }
        for (int i = 0; i < weights.length; i++) {
            if (!(weights[i] > 0 && weights[i] < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "a row's weight must be a number above 0, row %d has %s"
                                .formatted(i, weights[i]));
            }
        }
        for (int i = 0; i < ages.length; i++) {
            if (ages[i] < 0) {
                throw new IllegalArgumentException(
                        "a row's age must be 0 or more, row %d has %d".formatted(i, ages[i]));
            }
        }
    }

    private static void checkCount(String what, int count, int rows) {
        if (count != 0 && count != rows) {
            throw new IllegalArgumentException(
                    "a round of %d rows needs as many %s, or none, got %d"
                            .formatted(rows, what, count));
        }
    }

    /** The same round with these senders. */
    public Round withIds(List<String> all) {
        return new Round(rows, f, number, seed, all, weights, ages, scores);
    }

    /** The same round with these numbered workers as senders. */
    public Round withWorkers(int[] workers) {
        return withIds(IntStream.of(workers).mapToObj(Round::worker).toList());
    }

    /** The same round with weighted rows. */
    public Round withWeights(double[] all) {
        return new Round(rows, f, number, seed, ids, all, ages, scores);
    }

    /** The same round with rows of these ages. */
    public Round withAges(int[] all) {
        return new Round(rows, f, number, seed, ids, weights, all, scores);
    }

    /** The same round with these scores. */
    public Round withScores(double[] all) {
        return new Round(rows, f, number, seed, ids, weights, ages, all);
    }

    /**
     * The span of a call's coordinates in this round.
     *
     * @param first index of the first coordinate in the whole vector
     * @param dimension length of the whole vector that rules see
     */
    public Span span(long first, long dimension) {
        return new Span(first, dimension, seed, number);
    }

    /** The id of a numbered worker, {@code w} followed by the number. */
    public static String worker(int number) {
        return "w" + number;
    }

    /** The sender of a row. */
    public String sender(int row) {
        return ids.isEmpty() ? worker(row) : ids.get(row);
    }

    /** The row of a worker, -1 if it has none in this round. */
    public int row(String id) {
        return IntStream.range(0, rows).filter(i -> sender(i).equals(id)).findFirst().orElse(-1);
    }
}

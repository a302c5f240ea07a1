package dev.levee.gar;

import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a rule knows about the round it decides: everything but the gradients. A round is made with
 * {@link #Round(int, int, long, long)}; who knows more about its rows says so with {@link
 * #withIds}, {@link #withWeights}, {@link #withAges} and {@link #withScores}. What is not known is
 * empty. The arrays are shared and not changed.
 *
 * @param rows number of rows aggregated (q in the papers); proven faults are already taken out
 * @param f upper bound on the number of Byzantine rows among them, at least 0
 * @param number the round's number, from 0
 * @param seed the run's seed; a draw may depend on it, on the round's number and on nothing else
 * @param ids for each row, who sent it, all different; if empty, row i was sent by worker i (see
 *     {@link #worker})
 * @param weights for each row, how much it counts, such as its number of samples: finite and above
 *     0. Only their ratios matter
 * @param ages for each row, how many versions of the model have been made since the one that it was
 *     computed on, 0 or more
 * @param scores for each row, how much a step along it improved the model elsewhere, or what {@link
 *     GradientScored} made of it, for rules that need it ({@link Rule#needsScores})
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

    /** A round of whose rows nothing more is known. */
    public Round(int rows, int f, long number, long seed) {
        this(rows, f, number, seed, List.of(), NO_NUMBERS, NO_AGES, NO_NUMBERS);
    }

    /** Checks that what is given is given for each row. */
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

    /** The same round, its rows sent by these. */
    public Round withIds(List<String> all) {
        return new Round(rows, f, number, seed, all, weights, ages, scores);
    }

    /** The same round, its rows sent by these numbered workers. */
    public Round withWorkers(int[] workers) {
        return withIds(IntStream.of(workers).mapToObj(Round::worker).toList());
    }

    /** The same round with weighted rows. */
    public Round withWeights(double[] all) {
        return new Round(rows, f, number, seed, ids, all, ages, scores);
    }

    /** The same round with rows computed on older versions of the model. */
    public Round withAges(int[] all) {
        return new Round(rows, f, number, seed, ids, weights, all, scores);
    }

    /** The same round with scores from outside. */
    public Round withScores(double[] all) {
        return new Round(rows, f, number, seed, ids, weights, ages, all);
    }

    /** The id of a numbered worker, {@code w} and its number. */
    public static String worker(int number) {
        return "w" + number;
    }

    /** Who sent a row. */
    public String sender(int row) {
        return ids.isEmpty() ? worker(row) : ids.get(row);
    }

    /** The row that a worker sent, -1 if it sent none of this round's. */
    public int row(String id) {
        return IntStream.range(0, rows).filter(i -> sender(i).equals(id)).findFirst().orElse(-1);
    }
}

package dev.levee.federated.plan;

import static dev.levee.operators.rounds.WrongTrainingException.require;

import dev.levee.gar.NamedParser;

import java.io.Serializable;
import java.util.Arrays;

/**
 * When a round in virtual time closes although devices are missing.
 *
 * @param seconds after which it does; with {@code spread} for how long rounds are open before
 *     anything was learned, infinite for as long as it takes
 * @param spread k of median + k·MAD of the times that devices have taken in earlier rounds (MAD is
 *     the median distance from the median), NaN if the deadline is always the same
 */
public record Deadline(double seconds, double spread) implements Serializable {
    /** Rounds wait for all. */
    public static final Deadline NONE = new Deadline(Double.POSITIVE_INFINITY, Double.NaN);

    private static final double SPREAD = 3;

    /** Times that are remembered: those of so many contributions. */
    static final int MEMORY = 128;

    /**
     * Checks the numbers.
     *
     * @throws dev.levee.operators.rounds.WrongTrainingException if one makes no sense; one sentence
     */
    public Deadline {
        require(seconds > 0, "{deadline} must be above 0 s, got %s s", seconds);
        require(
                !(spread < 0),
                "{deadline} must be adaptive(k) with k of at least 0, got %s",
                spread);
    }

    /**
     * Reads {@code adaptive} or {@code adaptive(K)}.
     *
     * @throws IllegalArgumentException if the text has neither form; one sentence
     */
    public static Deadline adaptive(String text) {
        return new NamedParser<Deadline>("deadline")
                .add(
                        "adaptive",
                        a -> new Deadline(Double.POSITIVE_INFINITY, a.number("k", SPREAD)),
                        "k")
                .parse(text);
    }

    /**
     * The deadline of the next round.
     *
     * @param times that devices have taken, the newest ones
     */
    double after(double[] times) {
        if (Double.isNaN(spread) || times.length == 0) {
            return seconds;
        }
        double middle = median(times);
        return middle
                + spread * median(Arrays.stream(times).map(t -> Math.abs(t - middle)).toArray());
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
}

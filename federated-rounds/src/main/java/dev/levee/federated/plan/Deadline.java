package dev.levee.federated.plan;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.gar.NamedParser;

import java.io.Serializable;
import java.util.Arrays;

/**
 * The deadline of rounds in virtual time, after which a round closes with devices missing.
 *
 * @param seconds the deadline; with {@code spread}, the deadline before any times are known;
 *     infinite for none
 * @param spread k of the deadline median + k·MAD of the devices' times in earlier rounds (MAD is
 *     the median distance from the median), NaN for a constant deadline
 */
public record Deadline(double seconds, double spread) implements Serializable {
    /** Rounds wait for all devices. */
    public static final Deadline NONE = new Deadline(Double.POSITIVE_INFINITY, Double.NaN);

    private static final double SPREAD = 3;

    /** Number of contributions whose times are remembered. */
    static final int MEMORY = 128;

    /**
     * Checks the numbers.
     *
     * @throws dev.levee.operators.rounds.fault.WrongTrainingException if one is invalid; one
     *     sentence
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
     * @param times the newest times that devices have taken
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

package dev.levee.operators.rounds.training;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of a round's workers: a fixed count, a share of the participants, or all but some of
 * them. The last two follow the number of participants.
 */
public sealed interface CountOrShare extends Serializable {
    /** The number for n participants, rounded down if it is a fractional share. */
    int mostOf(int n);

    /** The number for n participants, rounded up. */
    int fewestOf(int n);

    /**
     * A fixed count.
     *
     * @param count the count, at least 0
     */
    record Count(int count) implements CountOrShare {
        @Override
        public int mostOf(int n) {
            return count;
        }

        @Override
        public int fewestOf(int n) {
            return count;
        }

        @Override
        public String toString() {
            return String.valueOf(count);
        }
    }

    /**
     * A share of the participants, exact in decimals: 29 % of 100 are 29.
     *
     * @param millionths the share in millionths, from 0 to {@link #WHOLE}
     */
    record Share(long millionths) implements CountOrShare {
        /** The share of all participants. */
        public static final long WHOLE = 1_000_000;

        private static final int PERCENT = 4;

        /** Checks the number. */
        public Share {
            if (millionths < 0 || millionths > WHOLE) {
                throw new IllegalArgumentException(
                        "a share must be from 0% to 100%, got " + percent(millionths));
            }
        }

        @Override
        public int mostOf(int n) {
            return (int) (n * millionths / WHOLE);
        }

        @Override
        public int fewestOf(int n) {
            return n - (int) (n * (WHOLE - millionths) / WHOLE);
        }

        @Override
        public String toString() {
            return percent(millionths);
        }

        private static String percent(long millionths) {
            BigDecimal percent = BigDecimal.valueOf(millionths, PERCENT).stripTrailingZeros();
            return percent.toPlainString() + "%";
        }
    }

    /**
     * All participants but a number of them, and at least one.
     *
     * @param missing that number, at least 0
     */
    record AllBut(int missing) implements CountOrShare {
        private static final Pattern FORM = Pattern.compile("n\\s*-\\s*(\\d{1,4})");

        @Override
        public int mostOf(int n) {
            return Math.max(1, n - missing);
        }

        @Override
        public int fewestOf(int n) {
            return mostOf(n);
        }

        @Override
        public String toString() {
            return "n-" + missing;
        }
    }

    /** A fixed count. */
    static CountOrShare of(int count) {
        return new Count(count);
    }

    /** Reads a text such as {@code n-2}; empty if it has another form. */
    static Optional<CountOrShare> allBut(String text) {
        Matcher matcher = AllBut.FORM.matcher(text.strip());
        return matcher.matches()
                ? Optional.of(new AllBut(Integer.parseInt(matcher.group(1))))
                : Optional.empty();
    }

    /** Digits, at most four of them after the point, and a percent sign. */
    Pattern PERCENT = Pattern.compile("(\\d{1,3}(\\.\\d{1,4})?)\\s*%");

    /**
     * Reads a text such as {@code 20%} or {@code 12.5 %}.
     *
     * @throws IllegalArgumentException if the text is not a share
     */
    static Share share(String text) {
        Matcher matcher = PERCENT.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("a share must be like 20%, got " + text);
        }
        return new Share(
                new BigDecimal(matcher.group(1)).movePointRight(Share.PERCENT).longValueExact());
    }
}

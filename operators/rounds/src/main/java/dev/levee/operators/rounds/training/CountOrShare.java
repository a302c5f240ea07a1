package dev.levee.operators.rounds.training;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of the workers of a round: fixed, or a share of the participants or all but some of
 * them, which follows them as they come and go.
 */
public sealed interface CountOrShare extends Serializable {
    /**
     * The most of n that are this much: a share of them that is no whole number is rounded down.
     */
    int mostOf(int n);

    /** The fewest of n that are this much: rounded up. */
    int fewestOf(int n);

    /**
     * So many, however many take part.
     *
     * @param count the count of at least 0
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
     * A share of those who take part. Exact in decimals: 29 % of 100 are 29.
     *
     * @param millionths of the whole, from 0 to {@link #WHOLE}
     */
    record Share(long millionths) implements CountOrShare {
        /** All of them. */
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
     * All but so many, and at least one.
     *
     * @param missing how many, at least 0
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

    /** So many, however many take part. */
    static CountOrShare of(int count) {
        return new Count(count);
    }

    /** Reads {@code n-2}; empty if it is nothing like it. */
    static Optional<CountOrShare> allBut(String text) {
        Matcher matcher = AllBut.FORM.matcher(text.strip());
        return matcher.matches()
                ? Optional.of(new AllBut(Integer.parseInt(matcher.group(1))))
                : Optional.empty();
    }

    /** Digits, at most four of them behind the point, and a percent sign. */
    Pattern PERCENT = Pattern.compile("(\\d{1,3}(\\.\\d{1,4})?)\\s*%");

    /**
     * Reads {@code 20%} or {@code 12.5 %}.
     *
     * @throws IllegalArgumentException if it is no share
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

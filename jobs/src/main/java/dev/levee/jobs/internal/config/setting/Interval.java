package dev.levee.jobs.internal.config.setting;

import java.math.BigDecimal;

/** An interval of numbers, written as in mathematics: {@code [1, 128]}, {@code (0, inf)}. */
record Interval(double low, boolean lowIncluded, double high, boolean highIncluded) {
    static Interval parse(String text) {
        int comma = text.indexOf(',');
        return new Interval(
                bound(text.substring(1, comma).trim()),
                text.startsWith("["),
                bound(text.substring(comma + 1, text.length() - 1).trim()),
                text.endsWith("]"));
    }

    private static double bound(String text) {
        return switch (text) {
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    boolean contains(double value) {
        return (lowIncluded ? value >= low : value > low)
                && (highIncluded ? value <= high : value < high);
    }

    /** The interval in words, to be put after "a number". */
    String words() {
        if (Double.isInfinite(high)) {
            return lower();
        }
        if (lowIncluded && highIncluded) {
            return "from " + plain(low) + " to " + plain(high);
        }
        return lower() + " and " + (highIncluded ? "at most " : "below ") + plain(high);
    }

    private String lower() {
        return (lowIncluded ? "of at least " : "above ") + plain(low);
    }

    private static String plain(double bound) {
        return new BigDecimal(bound).stripTrailingZeros().toPlainString();
    }
}

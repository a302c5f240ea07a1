package dev.levee.featureextraction.split;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The bandwidth of a link.
 *
 * @param text the text that was parsed
 * @param bitsPerSecond the bandwidth in bits per second
 */
public record Bandwidth(String text, double bitsPerSecond) {
    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)([kMG]?)");

    /**
     * Parses a bandwidth: a number of bits per second, optionally followed by k, M or G.
     *
     * @throws IllegalArgumentException if it is not a bandwidth; a phrase
     */
    public static Bandwidth parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches() || new BigDecimal(matcher.group(1)).signum() == 0) {
            throw new IllegalArgumentException(
                    "must be bits per second above 0, such as 50M or 1.5G, got " + text);
        }
        int power =
                switch (matcher.group(2)) {
                    case "k" -> 3;
                    case "M" -> 6;
                    case "G" -> 9;
                    default -> 0;
                };
        return new Bandwidth(
                text.strip(),
                new BigDecimal(matcher.group(1)).scaleByPowerOfTen(power).doubleValue());
    }
}

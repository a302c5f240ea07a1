package dev.levee.jobs.internal.config.setting;

import org.apache.flink.util.TimeUtils;

import java.time.Duration;

/** Parses durations with a unit, as users write them: {@code 500ms}, {@code 10s}, {@code 2min}. */
public final class Durations {
    private static final String RIGHT = " such as 500ms, 10s or 2min, got ";

    private Durations() {}

    /**
     * Reads a duration above zero.
     *
     * @param name the setting's name in errors
     * @throws IllegalArgumentException if the text is no such duration; one sentence
     */
    public static Duration positive(String name, String text) {
        return parse(name, " must be a duration above zero", text, false);
    }

    /**
     * Reads a duration that may be zero.
     *
     * @param name the setting's name in errors
     * @throws IllegalArgumentException if the text is no such duration; one sentence
     */
    public static Duration notNegative(String name, String text) {
        return parse(name, " must be a duration", text, true);
    }

    private static Duration parse(String name, String what, String text, boolean zero) {
        // Flink would read a number without a unit as milliseconds; most readers would expect
        // seconds.
        boolean unit = text.strip().matches(".*[a-zA-Zµ]");
        try {
            // Flink knows microseconds only by a letter that few keyboards have.
            String flink = text.strip().replaceFirst("us$", "µs");
            Duration duration = unit ? TimeUtils.parseDuration(flink) : null;
            if (duration == null || duration.isNegative() || duration.isZero() && !zero) {
                throw new IllegalArgumentException(name + what + RIGHT + text);
            }
            return duration;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + what + RIGHT + text, e);
        }
    }
}

package dev.levee.jobs.internal.config.setting;

import org.apache.flink.configuration.MemorySize;

/** Parses sizes of memory as users write them. */
public final class Sizes {
    private Sizes() {}

    /**
     * Returns the bytes of a text such as {@code 512m}, in Flink's notation.
     *
     * @param name the setting's name in errors
     * @throws IllegalArgumentException if the text is no size above 0; one sentence
     */
    public static long bytes(String name, String text) {
        try {
            long bytes = MemorySize.parse(text).getBytes();
            if (bytes > 0) {
                return bytes;
            }
        } catch (IllegalArgumentException e) {
            throw wrong(name, text, e);
        }
        throw wrong(name, text, null);
    }

    private static IllegalArgumentException wrong(String name, String text, Exception cause) {
        return new IllegalArgumentException(
                name + " must be a size above 0 such as 512m or 2g, got " + text, cause);
    }
}

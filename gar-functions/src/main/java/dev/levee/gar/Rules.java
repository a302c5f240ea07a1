package dev.levee.gar;

/** Reads rules by name. */
public final class Rules {
    private Rules() {}

    /** Reads a rule or a pipeline such as {@code clip(2) | nnm | trimmed-mean}. */
    public static Rule parse(String text) {
        throw new IllegalArgumentException("unknown rule " + text);
    }
}

package dev.levee.gar;

/** Reads attacks by name. */
public final class Attacks {
    private Attacks() {}

    /** Reads an attack such as {@code little-is-enough(z=1.5)}. */
    public static Attack parse(String text) {
        throw new IllegalArgumentException("unknown attack " + text);
    }
}

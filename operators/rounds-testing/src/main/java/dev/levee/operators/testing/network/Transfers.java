package dev.levee.operators.testing.network;

/** Ways to send updates. */
public enum Transfers {
    /** At once and in parallel; the server applies whatever comes. */
    UNORDERED(false),
    /** The same, and the server drops what is older than the bound. */
    BOUNDED(false),
    /** When the scheduler asks for them. */
    ORDERED(true),
    /** The same, and updates are added up by other hosts while the server's link is busy. */
    SUMMED(true);

    private final boolean ordered;

    Transfers(boolean ordered) {
        this.ordered = ordered;
    }

    boolean ordered() {
        return ordered;
    }
}

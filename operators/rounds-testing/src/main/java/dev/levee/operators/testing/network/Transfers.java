package dev.levee.operators.testing.network;

/** Ways to send updates. */
public enum Transfers {
    /** Updates are sent at once and in parallel; the server applies all of them. */
    UNORDERED(false),
    /** The same, and the server drops updates that are older than the bound. */
    BOUNDED(false),
    /** Updates are sent when the scheduler requests them. */
    ORDERED(true),
    /** The same, and other hosts add up updates while the server's link is busy. */
    SUMMED(true);

    private final boolean ordered;

    Transfers(boolean ordered) {
        this.ordered = ordered;
    }

    boolean ordered() {
        return ordered;
    }
}

package dev.levee.connectors.internal;

import dev.levee.connectors.Partition;

/** Reads partitions by name. */
public final class Partitions {
    private Partitions() {}

    /** Reads a partition's name with its parameter. */
    public static Partition parse(String text) {
        String name = text.strip();
        if (name.equals("iid")) {
            return new IidPartition();
        }
        throw new IllegalArgumentException(
                "unknown partition "
                        + text
                        + ": it has to be iid, dirichlet(α), by-class or gamma(γ)");
    }
}

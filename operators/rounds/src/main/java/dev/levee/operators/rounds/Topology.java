package dev.levee.operators.rounds;

import java.io.Serializable;

/**
 * Which servers there are. Each has its own model, coordinator and shards; every participant
 * answers the model of each.
 *
 * @param servers number of parameter servers
 */
public record Topology(int servers) implements Serializable {
    /** One parameter server. */
    public static final Topology ONE = new Topology(1);

    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if there is no server; one sentence
     */
    public Topology {
        if (servers < 1) {
            throw new IllegalArgumentException("servers must be at least 1, got " + servers);
        }
    }
}

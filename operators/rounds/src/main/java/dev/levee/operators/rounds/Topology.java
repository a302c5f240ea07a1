package dev.levee.operators.rounds;

import static dev.levee.operators.rounds.WrongTrainingException.require;

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
     * @throws WrongTrainingException if there is no server; one sentence
     */
    public Topology {
        require(servers >= 1, "{servers} must be at least 1, got %s", servers);
    }
}

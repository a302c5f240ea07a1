package dev.levee.federated.plan;

import static dev.levee.operators.rounds.WrongTrainingException.require;

import java.io.Serializable;

/**
 * The treatment of contributions in rounds without a barrier: each counts when it comes, with less
 * weight the staler it is.
 *
 * @param buffer contributions that make a new version, K: 1 for FedAsync, more for FedBuff (Nguyen
 *     et al., "Federated Learning with Buffered Asynchronous Aggregation", AISTATS 2022)
 * @param weight how much a contribution counts by its staleness
 * @param maxStaleness contributions that are staler are dropped
 * @param oracleEvery versions for which the server's own gradient serves, where the rule needs one
 */
public record Asynchrony(int buffer, StalenessWeight weight, int maxStaleness, int oracleEvery)
        implements Serializable {
    /**
     * Checks the numbers.
     *
     * @throws dev.levee.operators.rounds.WrongTrainingException if one makes no sense; one sentence
     */
    public Asynchrony {
        require(buffer >= 1, "{buffer} must be at least 1, got %s", buffer);
        require(maxStaleness >= 0, "{maxStaleness} must not be negative, got %s", maxStaleness);
        require(oracleEvery >= 1, "{oracleEvery} must be at least 1, got %s", oracleEvery);
    }

    /** Contributions to a server without a gradient of its own, or with one for each version. */
    public Asynchrony(int buffer, StalenessWeight weight, int maxStaleness) {
        this(buffer, weight, maxStaleness, 1);
    }
}

package dev.levee.federated.plan;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import java.io.Serializable;

/**
 * The treatment of contributions in rounds without a barrier: each counts on arrival, with a weight
 * that decreases with its staleness.
 *
 * @param buffer number of contributions that make a new version, K: 1 for FedAsync, more for
 *     FedBuff (Nguyen et al., "Federated Learning with Buffered Asynchronous Aggregation", AISTATS
 *     2022)
 * @param weight the weight of a contribution by its staleness
 * @param maxStaleness largest staleness; staler contributions are dropped
 * @param oracleEvery number of versions that use the same gradient of the server, if the rule needs
 *     one
 */
public record Asynchrony(int buffer, StalenessWeight weight, int maxStaleness, int oracleEvery)
        implements Serializable {
    /**
     * Checks the numbers.
     *
     * @throws dev.levee.operators.rounds.fault.WrongTrainingException if one is invalid; one
     *     sentence
     */
    public Asynchrony {
        require(buffer >= 1, "{buffer} must be at least 1, got %s", buffer);
        require(maxStaleness >= 0, "{maxStaleness} must not be negative, got %s", maxStaleness);
        require(oracleEvery >= 1, "{oracleEvery} must be at least 1, got %s", oracleEvery);
    }

    /** Creates a treatment for servers without an own gradient, or with one for each version. */
    public Asynchrony(int buffer, StalenessWeight weight, int maxStaleness) {
        this(buffer, weight, maxStaleness, 1);
    }
}

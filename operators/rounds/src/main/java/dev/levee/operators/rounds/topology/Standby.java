package dev.levee.operators.rounds.topology;

import static dev.levee.operators.rounds.WrongTrainingException.require;

import java.io.Serializable;

/**
 * A second server, which gets as many updates as keep its model within a distance of the first
 * one's, and continues in its place when that is lost (MLfabric, arXiv 1907.00434).
 *
 * @param distance D, the largest Euclidean distance of the two models; 0 for every update
 */
public record Standby(double distance) implements Serializable {
    /** Checks the number. */
    public Standby {
        require(
                distance >= 0 && Double.isFinite(distance),
                "{replica} must be a distance of at least 0, got %s",
                distance);
    }
}

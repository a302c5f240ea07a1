package dev.levee.operators.rounds.topology;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import java.io.Serializable;

/**
 * A second server with a replica of the first one's model. It gets enough updates to keep its model
 * within a distance of the first one's, and takes over when that is lost (MLfabric, arXiv
 * 1907.00434).
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

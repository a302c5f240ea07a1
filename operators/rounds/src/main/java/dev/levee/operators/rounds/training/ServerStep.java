package dev.levee.operators.rounds.training;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.schedule.LearningRate;

import java.io.Serializable;

/**
 * The step of a server's model along the aggregate.
 *
 * @param optimizer the step
 * @param learningRate step size and its schedule
 */
public record ServerStep(Optimizer optimizer, LearningRate learningRate) implements Serializable {
    /**
     * Checks both.
     *
     * @throws WrongTrainingException if one is missing or the first step size is not a number; one
     *     sentence
     */
    public ServerStep {
        require(optimizer != null, "{optimizer} must be one such as sgd, got null");
        require(learningRate != null, "{learningRate} must be a schedule, got null");
        double first = learningRate.at(0);
        require(
                first >= 0 && Double.isFinite(first),
                "{learningRate} must be a finite number of at least 0 in round 0, got %s",
                first);
    }
}

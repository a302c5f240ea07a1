package dev.levee.operators.rounds;

import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.schedule.LearningRate;

import java.io.Serializable;

/**
 * How a server's model moves along the aggregate.
 *
 * @param optimizer the step
 * @param learningRate step size and its schedule
 */
public record ServerStep(Optimizer optimizer, LearningRate learningRate) implements Serializable {}

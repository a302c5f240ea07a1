package dev.levee.operators.rounds.optimizer;

/** How a model steps along an aggregate. All step each coordinate by itself. */
public enum OptimizerKind {
    SGD,
    ADAM,
    ADAMW,
    RMSPROP,
    ADAGRAD
}

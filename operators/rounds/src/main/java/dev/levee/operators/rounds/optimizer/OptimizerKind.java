package dev.levee.operators.rounds.optimizer;

/** Optimizers of the server step. All step each coordinate by itself. */
public enum OptimizerKind {
    SGD,
    ADAM,
    ADAMW,
    RMSPROP,
    ADAGRAD;

    /** True if it takes a momentum factor. */
    public boolean hasMomentum() {
        return this == SGD || this == RMSPROP;
    }
}

package dev.levee.federated.steps;

import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;

/** Optimizers of a device's local steps. */
public enum LocalOptimizer {
    SGD,
    ADAM,
    ADAMW,
    RMSPROP,
    ADAGRAD,
    /** Local AdaAlter, whose denominators are averaged ({@link LocalState#AVERAGE}). */
    ADAALTER;

    /** The default ε of AdaAlter. */
    public static final double EPSILON = 1;

    /** True if it takes a momentum factor. */
    public boolean hasMomentum() {
        return this == SGD || this == RMSPROP;
    }

    /** True if it has a β₁. */
    public boolean hasBeta1() {
        return this == ADAM || this == ADAMW;
    }

    /**
     * Creates the optimizer.
     *
     * @param momentum momentum factor for sgd and rmsprop, 0 for none
     * @param beta1 β₁ of optimizers that have one
     * @param epsilon ε of AdaAlter
     */
    public Optimizer with(double momentum, double beta1, double epsilon) {
        return this == ADAALTER
                ? new AdaAlter(epsilon)
                : Optimizer.of(OptimizerKind.valueOf(name()), momentum, beta1);
    }
}

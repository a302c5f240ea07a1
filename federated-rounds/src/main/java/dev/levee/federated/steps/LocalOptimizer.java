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

    /** Default of AdaAlter's ε. */
    public static final double EPSILON = 1;

    /** True if it has a β₁. */
    public boolean hasBeta1() {
        return this == ADAM || this == ADAMW;
    }

    /**
     * The step.
     *
     * @param momentum factor of sgd and rmsprop, 0 for none
     * @param beta1 of those that have one
     * @param epsilon of AdaAlter
     */
    public Optimizer with(double momentum, double beta1, double epsilon) {
        return this == ADAALTER
                ? new AdaAlter(epsilon)
                : Optimizer.of(OptimizerKind.valueOf(name()), momentum, beta1);
    }
}

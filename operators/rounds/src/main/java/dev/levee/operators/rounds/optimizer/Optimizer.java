package dev.levee.operators.rounds.optimizer;

import java.io.Serializable;
import java.util.OptionalDouble;

/**
 * A coordinate-wise step. It reads one position and writes another, so a checkpoint can still read
 * the first. It may write to vectors of the first that are not shared.
 */
public interface Optimizer extends Serializable {
    /** Number of vectors carried from step to step, each as long as the block, zero at first. */
    int moments();

    /**
     * True if buffers are stepped along like the rest; false if the values of the round's aggregate
     * replace them.
     */
    default boolean stepsBuffers() {
        return false;
    }

    /**
     * Number of these vectors, the first ones, that a later run of steps needs; its first step,
     * number 0, creates the others.
     */
    default int carried() {
        return moments();
    }

    /** True if a step is divided by the gradient's size, so that twice the gradient is one step. */
    default boolean adaptive() {
        return false;
    }

    /**
     * μ of a step that is linear in aggregates, v ← μ·v + g; x ← x − rate·v with v as its only
     * vector, or none if μ is 0; empty for any other step.
     */
    default OptionalDouble linear() {
        return OptionalDouble.empty();
    }

    /**
     * Steps the first {@code length} coordinates.
     *
     * @param from the start of the step
     * @param aggregate the round's aggregate
     * @param step number of this step, from 0
     * @param rate step size
     * @param to receives the result; each of its vectors is either another array than that of the
     *     start or the same one
     */
    void step(Position from, float[] aggregate, int length, long step, double rate, Position to);

    /** β₁ of adam and adamw unless told otherwise. */
    double BETA1 = 0.9;

    /** λ of adamw unless told otherwise. */
    double ADAMW_DECAY = 0.01;

    /**
     * An optimizer with the usual constants.
     *
     * @param momentum momentum factor for sgd and rmsprop, 0 for none; adam and adamw use β₁ = 0.9
     *     regardless
     */
    static Optimizer of(OptimizerKind kind, double momentum) {
        return of(kind, momentum, BETA1);
    }

    /**
     * An optimizer.
     *
     * @param momentum momentum factor for sgd and rmsprop, 0 for none
     * @param beta1 β₁ of adam and adamw, at least 0 and below 1
     */
    static Optimizer of(OptimizerKind kind, double momentum, double beta1) {
        return of(kind, momentum, beta1, ADAMW_DECAY);
    }

    /**
     * An optimizer with weight decay: the gradient of λ/2·‖x‖² is added to each aggregate, before
     * momentum; adamw subtracts rate·λ·x beside its step instead.
     *
     * @param momentum momentum factor for sgd and rmsprop, 0 for none
     * @param decay λ, 0 for none; null for none but with adamw, which then decays by 0.01
     */
    static Optimizer decaying(OptimizerKind kind, double momentum, Double decay) {
        if (decay == null) {
            return of(kind, momentum);
        }
        Optimizer optimizer = of(kind, momentum, BETA1, decay);
        return decay == 0 || kind == OptimizerKind.ADAMW
                ? optimizer
                : new Optimizers.Decaying(optimizer, decay);
    }

    private static Optimizer of(
            OptimizerKind kind, double momentum, double beta1, double adamwDecay) {
        return switch (kind) {
            case SGD -> momentum == 0 ? new Optimizers.Sgd() : new Optimizers.HeavyBall(momentum);
            case ADAM -> new Optimizers.Adam(0, beta1);
            case ADAMW -> new Optimizers.Adam(adamwDecay, beta1);
            case RMSPROP -> new Optimizers.RmsProp(momentum);
            case ADAGRAD -> new Optimizers.AdaGrad();
        };
    }
}

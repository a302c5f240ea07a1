package dev.levee.operators.rounds.optimizer;

import java.io.Serializable;
import java.util.OptionalDouble;

/**
 * A coordinate-wise optimizer step. It reads one position and writes another, so a checkpoint can
 * still read the first. It may overwrite vectors of the first position that are not shared.
 */
public interface Optimizer extends Serializable {
    /** Number of vectors carried from step to step, each as long as the block. */
    int moments();

    /**
     * The vectors before the first step: zeros by default. Values of coordinates that are not
     * stepped have no meaning.
     */
    default float[][] initial(int length) {
        return new float[moments()][length];
    }

    /**
     * True if buffers are stepped like parameters; false if the aggregate's values replace them.
     */
    default boolean stepsBuffers() {
        return false;
    }

    /**
     * Number of vectors, from the first on, that must be kept between runs of steps. Step 0 of a
     * run creates the others.
     */
    default int carried() {
        return moments();
    }

    /**
     * True if a step is normalized by the gradient's magnitude, so doubling the gradient does not
     * change it.
     */
    default boolean adaptive() {
        return false;
    }

    /**
     * The μ of a step that is linear in aggregates: v ← μ·v + g; x ← x − rate·v. Its only vector is
     * v, and it has none if μ is 0. Empty for other steps.
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
     * @param to receives the result; each of its vectors may be the array of the start or another
     *     one
     */
    void step(Position from, float[] aggregate, int length, long step, double rate, Position to);

    /** The default β₁ of adam and adamw. */
    double BETA1 = 0.9;

    /** The default λ of adamw. */
    double ADAMW_DECAY = 0.01;

    /**
     * An optimizer with the default constants.
     *
     * @param momentum momentum factor for sgd and rmsprop, 0 for none; adam and adamw use β₁ = 0.9
     *     regardless
     */
    static Optimizer of(OptimizerKind kind, double momentum) {
        return of(kind, momentum, BETA1);
    }

    /**
     * An optimizer with a given β₁.
     *
     * @param momentum momentum factor for sgd and rmsprop, 0 for none
     * @param beta1 β₁ of adam and adamw, at least 0 and below 1
     */
    static Optimizer of(OptimizerKind kind, double momentum, double beta1) {
        return of(kind, momentum, beta1, ADAMW_DECAY);
    }

    /**
     * An optimizer with weight decay: the gradient of λ/2·‖x‖² is added to each aggregate, before
     * momentum; adamw instead subtracts rate·λ·x in addition to its step.
     *
     * @param momentum momentum factor for sgd and rmsprop, 0 for none
     * @param decay λ, 0 for none; null for the default, which is 0.01 for adamw and none for others
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

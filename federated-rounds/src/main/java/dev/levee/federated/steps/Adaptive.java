package dev.levee.federated.steps;

import dev.levee.gar.Arguments;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.Position;

import java.util.Arrays;

/**
 * FedAdam, FedYogi and FedAdagrad (Reddi et al., "Adaptive Federated Optimization", ICLR 2021,
 * algorithm 2), on g = −Δ: m ← β₁m + (1 − β₁)g; v by one of three rules; x ← x − η·m/(√v + τ). As
 * in the paper, v starts at τ², and neither m nor v has a bias correction. Other libraries start at
 * 0 or correct the bias, so both are options.
 *
 * @param second the rule for v
 * @param beta1 β₁, at least 0 and below 1
 * @param beta2 β₂, at least 0 and below 1; adagrad has none
 * @param tau τ, above 0
 * @param v0 the initial v, at least 0
 * @param corrected true to divide m by 1 − β₁^t, and v by 1 − β₂^t if it decays, in round t from 1
 *     on; a round without effect counts, too
 */
record Adaptive(Second second, double beta1, double beta2, double tau, double v0, boolean corrected)
        implements Optimizer {
    static final double TAU = 1e-3;
    static final double BETA2 = 0.99;

    /** Updates of v from g². */
    enum Second {
        /** v ← β₂v + (1 − β₂)g². */
        ADAM,
        /** v ← v − (1 − β₂)g²·sign(v − g²). */
        YOGI,
        /** v ← v + g². */
        ADAGRAD
    }

    Adaptive {
        require(beta1 >= 0 && beta1 < 1, "beta1", "of at least 0 and below 1", beta1);
        require(beta2 >= 0 && beta2 < 1, "beta2", "of at least 0 and below 1", beta2);
        require(tau > 0 && tau < Double.POSITIVE_INFINITY, "tau", "above 0", tau);
        require(v0 >= 0 && v0 < Double.POSITIVE_INFINITY, "v0", "of at least 0", v0);
    }

    private static void require(boolean condition, String name, String right, double value) {
        if (!condition) {
            throw new IllegalArgumentException(
                    "a server step's %s must be a number %s, got %s"
                            .formatted(name, right, Arguments.text(value)));
        }
    }

    @Override
    public int moments() {
        return 2;
    }

    /** In the vector rather than in step 0, because a round whose sum is refused takes no step. */
    @Override
    public float[][] initial(int length) {
        float[][] moments = new float[moments()][length];
        Arrays.fill(moments[1], (float) v0);
        return moments;
    }

    @Override
    public void step(
            Position from, float[] aggregate, int length, long step, double rate, Position to) {
        double correction1 = corrected ? 1 - StrictMath.pow(beta1, step + 1) : 1;
        double correction2 =
                corrected && second != Second.ADAGRAD ? 1 - StrictMath.pow(beta2, step + 1) : 1;
        float eta = (float) (rate / correction1);
        float scale = (float) (1 / correction2);
        float b1 = (float) beta1;
        float keep = (float) (1 - beta2);
        float floor = (float) tau;
        for (int i = 0; i < length; i++) {
            float g = aggregate[i];
            float square = g * g;
            float old = from.moments()[1][i];
            float m = b1 * from.moments()[0][i] + (1 - b1) * g;
            float v =
                    switch (second) {
                        case ADAM -> (float) beta2 * old + keep * square;
                        case YOGI -> old - keep * square * Math.signum(old - square);
                        case ADAGRAD -> old + square;
                    };
            to.moments()[0][i] = m;
            to.moments()[1][i] = v;
            to.x()[i] = from.x()[i] - eta * m / ((float) Math.sqrt(v * scale) + floor);
        }
    }
}

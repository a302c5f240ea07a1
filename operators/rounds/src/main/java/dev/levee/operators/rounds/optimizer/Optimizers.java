package dev.levee.operators.rounds.optimizer;

import java.util.OptionalDouble;

/** The optimizers of {@link OptimizerKind}. */
final class Optimizers {
    private Optimizers() {}

    /** x ← x − η·g. */
    record Sgd() implements Optimizer {
        @Override
        public int moments() {
            return 0;
        }

        @Override
        public OptionalDouble linear() {
            return OptionalDouble.of(0);
        }

        @Override
        public void step(
                Position from, float[] aggregate, int length, long step, double rate, Position to) {
            float eta = (float) rate;
            for (int i = 0; i < length; i++) {
                to.x()[i] = from.x()[i] - eta * aggregate[i];
            }
        }
    }

    /** v ← μ·v + g; x ← x − η·v (Polyak 1964). */
    record HeavyBall(double momentum) implements Optimizer {
        @Override
        public int moments() {
            return 1;
        }

        @Override
        public OptionalDouble linear() {
            return OptionalDouble.of(momentum);
        }

        @Override
        public void step(
                Position from, float[] aggregate, int length, long step, double rate, Position to) {
            float eta = (float) rate;
            float mu = (float) momentum;
            float[] velocity = from.moments()[0];
            float[] newVelocity = to.moments()[0];
            for (int i = 0; i < length; i++) {
                float v = mu * velocity[i] + aggregate[i];
                newVelocity[i] = v;
                to.x()[i] = from.x()[i] - eta * v;
            }
        }
    }

    /**
     * Passes the gradient of the loss plus λ/2·‖x‖² to another optimizer: g ← g + λ·x (L2 penalty).
     */
    record Decaying(Optimizer optimizer, double decay) implements Optimizer {
        @Override
        public int moments() {
            return optimizer.moments();
        }

        @Override
        public boolean adaptive() {
            return optimizer.adaptive();
        }

        @Override
        public void step(
                Position from, float[] aggregate, int length, long step, double rate, Position to) {
            float lambda = (float) decay;
            float[] gradient = new float[length];
            for (int i = 0; i < length; i++) {
                gradient[i] = aggregate[i] + lambda * from.x()[i];
            }
            optimizer.step(from, gradient, length, step, rate, to);
        }
    }

    /** AdaGrad (Duchi et al. 2011, diagonal form): s ← s + g²; x ← x − η·g / (√s + 1e-10). */
    record AdaGrad() implements Optimizer {
        private static final float EPSILON = 1e-10f;

        @Override
        public boolean adaptive() {
            return true;
        }

        @Override
        public int moments() {
            return 1;
        }

        @Override
        public void step(
                Position from, float[] aggregate, int length, long step, double rate, Position to) {
            float eta = (float) rate;
            for (int i = 0; i < length; i++) {
                float g = aggregate[i];
                float s = from.moments()[0][i] + g * g;
                to.moments()[0][i] = s;
                to.x()[i] = from.x()[i] - eta * g / ((float) Math.sqrt(s) + EPSILON);
            }
        }
    }

    /**
     * RMSProp (Tieleman and Hinton 2012): s ← 0.99·s + 0.01·g²; u = g / (√s + 1e-8); with momentum
     * v ← μ·v + u; x ← x − η·v.
     */
    record RmsProp(double momentum) implements Optimizer {
        private static final float DECAY = 0.99f;
        private static final float EPSILON = 1e-8f;

        @Override
        public boolean adaptive() {
            return true;
        }

        @Override
        public int moments() {
            return 2;
        }

        @Override
        public void step(
                Position from, float[] aggregate, int length, long step, double rate, Position to) {
            float eta = (float) rate;
            float mu = (float) momentum;
            for (int i = 0; i < length; i++) {
                float g = aggregate[i];
                float s = DECAY * from.moments()[0][i] + (1 - DECAY) * g * g;
                float v = mu * from.moments()[1][i] + g / ((float) Math.sqrt(s) + EPSILON);
                to.moments()[0][i] = s;
                to.moments()[1][i] = v;
                to.x()[i] = from.x()[i] - eta * v;
            }
        }
    }

    /**
     * Adam (Kingma and Ba 2015, algorithm 1) with β₂ = 0.999, ε = 1e-8; with weight decay, AdamW
     * (Loshchilov and Hutter 2019, algorithm 2), where the decay is λ·η·x.
     *
     * @param beta1 β₁
     */
    record Adam(double weightDecay, double beta1) implements Optimizer {
        private static final double BETA2 = 0.999;
        private static final double EPSILON = 1e-8;

        @Override
        public boolean adaptive() {
            return true;
        }

        @Override
        public int moments() {
            return 2;
        }

        @Override
        public void step(
                Position from, float[] aggregate, int length, long step, double rate, Position to) {
            // Step size and ε include both bias corrections, which saves divisions in the loop.
            double correction1 = 1 - StrictMath.pow(beta1, step + 1);
            double correction2 = StrictMath.sqrt(1 - StrictMath.pow(BETA2, step + 1));
            float eta = (float) (rate * correction2 / correction1);
            float epsilon = (float) (EPSILON * correction2);
            float keep = (float) (1 - rate * weightDecay);
            float b1 = (float) beta1;
            float b2 = (float) BETA2;
            for (int i = 0; i < length; i++) {
                float g = aggregate[i];
                float m = b1 * from.moments()[0][i] + (1 - b1) * g;
                float v = b2 * from.moments()[1][i] + (1 - b2) * g * g;
                to.moments()[0][i] = m;
                to.moments()[1][i] = v;
                to.x()[i] = keep * from.x()[i] - eta * m / ((float) Math.sqrt(v) + epsilon);
            }
        }
    }
}

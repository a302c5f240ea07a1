package dev.levee.learners.internal;

import dev.levee.learners.Loss;

/**
 * The loss of one output for one target, with its derivative by the output. {@link StrictMath}
 * gives the same bits in compiled and interpreted code, on every machine.
 */
interface PointLoss {
    double loss(double output, double target);

    double slope(double output, double target);

    static PointLoss of(Loss loss) {
        if (loss instanceof Loss.BinaryCrossEntropy) {
            return new Logistic();
        }
        if (loss instanceof Loss.SquaredError) {
            return new Square();
        }
        if (loss instanceof Loss.AbsoluteError) {
            return new Absolute();
        }
        if (loss instanceof Loss.Huber huber) {
            return new Hubers(huber.delta());
        }
        throw new IllegalArgumentException(loss.name() + " is not a loss of single targets");
    }

    /** Binary cross-entropy of a logit, in the form that does not overflow. */
    record Logistic() implements PointLoss {
        @Override
        public double loss(double output, double target) {
            return Math.max(output, 0)
                    - output * target
                    + StrictMath.log1p(StrictMath.exp(-Math.abs(output)));
        }

        @Override
        public double slope(double output, double target) {
            double small = StrictMath.exp(-Math.abs(output));
            return (output >= 0 ? 1 / (1 + small) : small / (1 + small)) - target;
        }
    }

    /** Squared error. */
    record Square() implements PointLoss {
        @Override
        public double loss(double output, double target) {
            return (output - target) * (output - target);
        }

        @Override
        public double slope(double output, double target) {
            return 2 * (output - target);
        }
    }

    /** Absolute error. */
    record Absolute() implements PointLoss {
        @Override
        public double loss(double output, double target) {
            return Math.abs(output - target);
        }

        @Override
        public double slope(double output, double target) {
            return Math.signum(output - target);
        }
    }

    /** Huber's loss. */
    record Hubers(double delta) implements PointLoss {
        @Override
        public double loss(double output, double target) {
            double error = Math.abs(output - target);
            return error <= delta ? error * error / 2 : delta * (error - delta / 2);
        }

        @Override
        public double slope(double output, double target) {
            return Math.max(-delta, Math.min(delta, output - target));
        }
    }
}

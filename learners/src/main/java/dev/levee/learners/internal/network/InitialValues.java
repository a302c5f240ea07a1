package dev.levee.learners.internal.network;

import java.io.Serializable;

/** The initial values of a parameter, a function of a key and an index for each coordinate. */
public sealed interface InitialValues extends Serializable {
    /** Value of coordinate {@code index} under a stream's key. */
    float at(long key, long index);

    /** The same value everywhere. */
    record Constant(float value) implements InitialValues {
        @Override
        public float at(long key, long index) {
            return value;
        }
    }

    /** Uniform between −{@code bound} and {@code bound}. */
    record Uniform(double bound) implements InitialValues {
        @Override
        public float at(long key, long index) {
            return (float) ((2 * CounterRandom.uniform(key, index) - 1) * bound);
        }
    }

    /** Normal around 0. */
    record Normal(double deviation) implements InitialValues {
        @Override
        public float at(long key, long index) {
            return (float) (deviation * NormalQuantile.of(CounterRandom.uniform(key, index)));
        }
    }

    /** Normal around {@code mean}. */
    record NormalAround(double mean, double deviation) implements InitialValues {
        @Override
        public float at(long key, long index) {
            return (float)
                    (mean + deviation * NormalQuantile.of(CounterRandom.uniform(key, index)));
        }
    }

    /**
     * Normal around 0, truncated at two standard deviations. The standard deviation after
     * truncation is about 0.88 of {@code deviation}.
     */
    record TruncatedNormal(double deviation) implements InitialValues {
        /** Probability that a standard normal variable is below −2. */
        private static final double BELOW = 0.022750131948179207;

        @Override
        public float at(long key, long index) {
            double p = BELOW + (1 - 2 * BELOW) * CounterRandom.uniform(key, index);
            return (float) (deviation * NormalQuantile.of(p));
        }
    }

    /** All zero. */
    InitialValues ZEROS = new Constant(0);

    /** All one. */
    InitialValues ONES = new Constant(1);

    /**
     * The initialization of He et al. (ICCV 2015) for layers followed by ReLU: normal with variance
     * 2 / {@code fan}.
     *
     * @param fan number of inputs of each output (forward pass), or of outputs of each input
     *     (backward pass)
     */
    static InitialValues he(long fan) {
        return new Normal(Math.sqrt(2.0 / fan));
    }

    /**
     * The initialization of Glorot and Bengio (AISTATS 2010): uniform with variance 2 / (inputs +
     * outputs).
     */
    static InitialValues glorot(long inputs, long outputs) {
        return new Uniform(Math.sqrt(6.0 / (inputs + outputs)));
    }
}

package dev.levee.federated.devices;

import dev.levee.gar.Arguments;
import dev.levee.gar.Draws;
import dev.levee.gar.NamedParser;

import java.io.Serializable;
import java.util.Arrays;

/** Relative computing speed of devices, drawn once from the run's seed. */
public sealed interface Capabilities extends Serializable {
    /** The capability of each device, above 0. */
    double[] draw(int devices, long seed);

    /**
     * Reads {@code equal}, {@code uniform(LOW, HIGH)}, {@code lognormal(SIGMA)} or {@code
     * half-normal(LEAST)}.
     *
     * @throws IllegalArgumentException if the text has no known form; one sentence
     */
    static Capabilities parse(String text) {
        return new NamedParser<Capabilities>("law of capabilities")
                .add("equal", arguments -> new Equal())
                .add("uniform", Uniform::new, "low", "high")
                .add("lognormal", arguments -> new LogNormal(arguments.number("sigma")), "sigma")
                .add("half-normal", arguments -> new HalfNormal(arguments.number("least")), "least")
                .parse(text);
    }

    /** Equal speed. */
    record Equal() implements Capabilities {
        @Override
        public double[] draw(int devices, long seed) {
            double[] all = new double[devices];
            Arrays.fill(all, 1);
            return all;
        }
    }

    /**
     * Uniform between two numbers.
     *
     * @param low the lower bound, above 0
     * @param high the upper bound
     */
    record Uniform(double low, double high) implements Capabilities {
        private static final long STREAM = 0x37D0A5C4E98F2B61L;

        /**
         * Checks the numbers.
         *
         * @throws IllegalArgumentException if they are not an interval above 0; one sentence
         */
        public Uniform {
            if (!(low > 0 && high >= low && high < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "uniform(low, high) needs 0 < low ≤ high, got uniform(%s, %s)"
                                .formatted(Arguments.text(low), Arguments.text(high)));
            }
        }

        private Uniform(Arguments arguments) {
            this(arguments.number("low"), arguments.number("high"));
        }

        @Override
        public double[] draw(int devices, long seed) {
            long key = Draws.key(seed, STREAM);
            double[] drawn = new double[devices];
            Arrays.setAll(drawn, i -> low + (high - low) * Draws.uniform(key, i));
            return drawn;
        }
    }

    /**
     * The exponential of a normal number of mean 0, so that half of the devices are below 1.
     *
     * @param sigma standard deviation of the logarithm, at least 0
     */
    record LogNormal(double sigma) implements Capabilities {
        private static final long STREAM = 0x5B9E17F2C60D84A3L;

        /**
         * Checks the deviation.
         *
         * @throws IllegalArgumentException if it is negative or beyond 10; one sentence
         */
        public LogNormal {
            if (!(sigma >= 0 && sigma <= 10)) {
                throw new IllegalArgumentException(
                        "lognormal(sigma) needs 0 ≤ sigma ≤ 10, got lognormal(%s)"
                                .formatted(Arguments.text(sigma)));
            }
        }

        @Override
        public double[] draw(int devices, long seed) {
            long key = Draws.key(seed, STREAM);
            double[] drawn = new double[devices];
            Arrays.setAll(drawn, i -> StrictMath.exp(sigma * Draws.normal(key, i)));
            return drawn;
        }
    }

    /**
     * The inverse of a time whose distribution is half-normal: the least time plus the absolute
     * value of a normal number of mean 0 and deviation 1. FedBuff was simulated with such times
     * (Nguyen et al., AISTATS 2022), drawn anew for each training instead of once for a device.
     *
     * @param least the least time, above 0, in units of the deviation
     */
    record HalfNormal(double least) implements Capabilities {
        private static final long STREAM = 0x2E8D61B74F93C05DL;

        /**
         * Checks the time.
         *
         * @throws IllegalArgumentException if it is not above 0 and finite; one sentence
         */
        public HalfNormal {
            if (!(least > 0 && least < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "half-normal(least) needs 0 < least, got half-normal(%s)"
                                .formatted(Arguments.text(least)));
            }
        }

        @Override
        public double[] draw(int devices, long seed) {
            long key = Draws.key(seed, STREAM);
            double[] drawn = new double[devices];
            Arrays.setAll(drawn, i -> 1 / (least + Math.abs(Draws.normal(key, i))));
            return drawn;
        }
    }
}

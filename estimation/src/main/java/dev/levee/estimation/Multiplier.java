package dev.levee.estimation;

import java.util.SplittableRandom;

/** Weights of the multiplier bootstrap, with mean 0 and variance 1. */
public enum Multiplier {
    /** Standard normal. */
    NORMAL {
        @Override
        public double draw(SplittableRandom random) {
            return random.nextGaussian();
        }
    },
    /** x/√2 + (y² − 1)/2 for two standard normals x and y (Mammen 1993). */
    WILD {
        @Override
        public double draw(SplittableRandom random) {
            double x = random.nextGaussian();
            double y = random.nextGaussian();
            return x / Math.sqrt(2) + (y * y - 1) / 2;
        }
    },
    /** Exponential with mean 1, minus 1. */
    BAYES {
        @Override
        public double draw(SplittableRandom random) {
            return random.nextExponential() - 1;
        }
    };

    public abstract double draw(SplittableRandom random);
}

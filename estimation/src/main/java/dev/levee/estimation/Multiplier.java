package dev.levee.estimation;

import java.util.SplittableRandom;

/** Weights of the multiplier bootstrap, of mean 0 and variance 1. */
public enum Multiplier {
    /** Standard normal. */
    NORMAL {
        @Override
        public double draw(SplittableRandom random) {
            return random.nextGaussian();
        }
    },
    /** x/√2 + (y² − 1)/2 of two standard normals (Mammen 1993). */
    WILD {
        @Override
        public double draw(SplittableRandom random) {
            double x = random.nextGaussian();
            double y = random.nextGaussian();
            return x / Math.sqrt(2) + (y * y - 1) / 2;
        }
    },
    /** Exponential of mean 1, less 1. */
    BAYES {
        @Override
        public double draw(SplittableRandom random) {
            return random.nextExponential() - 1;
        }
    };

    public abstract double draw(SplittableRandom random);
}

package dev.levee.gar.attacks;

import dev.levee.gar.Arguments;
import dev.levee.gar.Attack;
import dev.levee.gar.Draws;
import dev.levee.gar.Round;
import dev.levee.gar.block.Blocks;

/**
 * Sends normal random numbers, drawn anew for each round, attacker and coordinate.
 *
 * @param mean mean of the numbers
 * @param std standard deviation of the numbers, not negative
 */
public record Gaussian(double mean, double std) implements Attack {
    public Gaussian {
        if (!Double.isFinite(mean)) {
            throw new IllegalArgumentException(
                    "gaussian: the mean must be finite, got " + Arguments.text(mean));
        }
        Arguments.checkFromZero("gaussian: std", std);
    }

    @Override
    public String name() {
        return "gaussian(mean=" + Arguments.text(mean) + ",std=" + Arguments.text(std) + ")";
    }

    @Override
    public Sees sees() {
        return Sees.NOTHING;
    }

    @Override
    public float[] forge(
            int attacker, int block, Round round, float[] own, float[][] honest, int length) {
        long key = Draws.key(round.seed(), round.number(), attacker);
        long first = (long) block * Blocks.SIZE;
        float[] row = new float[length];
        for (int i = 0; i < length; i++) {
            row[i] = (float) (mean + std * Draws.normal(key, first + i));
        }
        return row;
    }
}

package dev.levee.gar.attacks;

import dev.levee.gar.Attack;
import dev.levee.gar.Draws;
import dev.levee.gar.Round;
import dev.levee.gar.block.Blocks;

/** Sends random numbers uniform in [0, 1), drawn anew for each round, attacker and coordinate. */
public record Uniform() implements Attack {
    @Override
    public String name() {
        return "random";
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
            row[i] = Draws.uniformFloat(key, first + i);
        }
        return row;
    }
}

package dev.levee.gar.attacks;

import dev.levee.gar.Arguments;
import dev.levee.gar.Attack;
import dev.levee.gar.Draws;
import dev.levee.gar.Round;
import dev.levee.gar.block.Blocks;

/**
 * Sends the attacker's own gradient with lost values: each value is zero with probability p, drawn
 * anew for each round, attacker and coordinate.
 *
 * @param p probability from 0 to 1
 */
public record Dropped(double p) implements Attack {
    public Dropped {
        if (!(p >= 0 && p <= 1)) {
            throw new IllegalArgumentException(
                    "dropped: the probability p must be from 0 to 1, got " + Arguments.text(p));
        }
    }

    @Override
    public String name() {
        return "dropped(p=" + Arguments.text(p) + ")";
    }

    @Override
    public Sees sees() {
        return Sees.OWN;
    }

    @Override
    public float[] forge(
            int attacker, int block, Round round, float[] own, float[][] honest, int length) {
        long key = Draws.key(round.seed(), round.number(), attacker);
        long first = (long) block * Blocks.SIZE;
        float[] row = new float[length];
        for (int i = 0; i < length; i++) {
            row[i] = Draws.uniform(key, first + i) < p ? 0 : own[i];
        }
        return row;
    }
}

package dev.levee.gar.attacks;

import dev.levee.gar.Arguments;
import dev.levee.gar.Attack;
import dev.levee.gar.Draws;
import dev.levee.gar.Round;

/**
 * Sends a different row to each receiver: the attacker's own row with coordinates multiplied by 1 +
 * c or 1 − c, drawn for each receiver, attacker and round.
 *
 * @param c size of the deviation
 */
public record Equivocation(double c) implements Attack {
    public Equivocation {
        Arguments.checkFromZero("equivocation: the factor c", c);
    }

    @Override
    public String name() {
        return "equivocation(c=" + Arguments.text(c) + ")";
    }

    @Override
    public Sees sees() {
        return Sees.OWN;
    }

    @Override
    public boolean equivocates() {
        return true;
    }

    @Override
    public float[] forge(
            int attacker, int block, Round round, float[] own, float[][] honest, int length) {
        long key = Draws.key(round.seed(), round.number(), attacker, block);
        float[] row = new float[length];
        for (int i = 0; i < length; i++) {
            boolean heads = Draws.uniform(key, i) < 0.5;
            row[i] = (float) (own[i] * (heads ? 1 + c : 1 - c));
        }
        return row;
    }
}

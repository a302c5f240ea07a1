package dev.levee.gar.attacks;

import dev.levee.gar.Arguments;
import dev.levee.gar.Attack;
import dev.levee.gar.Round;

/**
 * The attacker's own gradient times −c: −c·g.
 *
 * @param c the factor, not negative
 */
public record Reversed(double c) implements Attack {
    public Reversed {
        Arguments.checkFromZero("reversed: the factor c", c);
    }

    @Override
    public String name() {
        return "reversed(c=" + Arguments.text(c) + ")";
    }

    @Override
    public Sees sees() {
        return Sees.OWN;
    }

    @Override
    public float[] forge(
            int attacker, int block, Round round, float[] own, float[][] honest, int length) {
        float[] row = new float[length];
        for (int i = 0; i < length; i++) {
            row[i] = (float) (-c * own[i]);
        }
        return row;
    }
}

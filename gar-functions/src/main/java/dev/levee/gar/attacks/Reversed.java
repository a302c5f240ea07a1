package dev.levee.gar.attacks;

import dev.levee.gar.Arguments;
import dev.levee.gar.Attack;
import dev.levee.gar.Round;

/**
 * The attacker's own gradient times −c: −c·g. An attacker that wants to stay unnoticed does so now
 * and then, and sends its own gradient in other rounds.
 *
 * @param c the factor, not negative
 * @param every the attacker attacks in rounds 0, every, 2·every, …; 1 for all rounds
 */
public record Reversed(double c, int every) implements Attack {
    public Reversed {
        Arguments.checkFromZero("reversed: the factor c", c);
    }

    @Override
    public String name() {
        String rounds = every == 1 ? "" : ",every=" + every;
        return "reversed(c=" + Arguments.text(c) + rounds + ")";
    }

    @Override
    public Sees sees() {
        return Sees.OWN;
    }

    @Override
    public float[] forge(
            int attacker, int block, Round round, float[] own, float[][] honest, int length) {
        double factor = round.number() % every == 0 ? -c : 1;
        float[] row = new float[length];
        for (int i = 0; i < length; i++) {
            row[i] = (float) (factor * own[i]);
        }
        return row;
    }
}

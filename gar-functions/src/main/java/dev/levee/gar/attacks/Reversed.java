package dev.levee.gar.attacks;

import dev.levee.gar.Arguments;
import dev.levee.gar.Attack;
import dev.levee.gar.Round;

/**
 * Sends the attacker's own gradient g times −c. To stay unnoticed, an attacker can do so only in
 * some rounds and send g in the others.
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

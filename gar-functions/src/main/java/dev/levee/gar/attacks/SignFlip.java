package dev.levee.gar.attacks;

import dev.levee.gar.Attack;
import dev.levee.gar.Round;

/**
 * Sends the attacker's own gradient with the opposite sign, or the mean of the honest rows with the
 * opposite sign.
 *
 * @param mean true for the mean of the honest rows
 */
public record SignFlip(boolean mean) implements Attack {
    @Override
    public String name() {
        return mean ? "sign-flip(mean)" : "sign-flip";
    }

    @Override
    public Sees sees() {
        return mean ? Sees.HONEST : Sees.OWN;
    }

    @Override
    public boolean shared() {
        return mean;
    }

    @Override
    public float[] forge(
            int attacker, int block, Round round, float[] own, float[][] honest, int length) {
        if (mean) {
            return new HonestRows(honest, length).mean(-1);
        }
        float[] row = new float[length];
        for (int i = 0; i < length; i++) {
            row[i] = -own[i];
        }
        return row;
    }
}

package dev.levee.gar.attacks;

import dev.levee.gar.Attack;
import dev.levee.gar.Round;

/** The attacker's own gradient with the opposite sign. */
public record SignFlip() implements Attack {
    @Override
    public String name() {
        return "sign-flip";
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
            row[i] = -own[i];
        }
        return row;
    }
}

package dev.levee.gar.attacks;

import dev.levee.gar.Attack;
import dev.levee.gar.Round;

import java.util.Arrays;

/** No attack: the attackers send their honest gradients. */
public record None() implements Attack {
    @Override
    public String name() {
        return "none";
    }

    @Override
    public Sees sees() {
        return Sees.OWN;
    }

    @Override
    public float[] forge(
            int attacker, int block, Round round, float[] own, float[][] honest, int length) {
        return Arrays.copyOf(own, length);
    }
}

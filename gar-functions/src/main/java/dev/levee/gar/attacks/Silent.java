package dev.levee.gar.attacks;

import dev.levee.gar.Attack;
import dev.levee.gar.Round;

/** The attackers never answer. */
public record Silent() implements Attack {
    @Override
    public String name() {
        return "silent";
    }

    @Override
    public Sees sees() {
        return Sees.NOTHING;
    }

    @Override
    public boolean silent() {
        return true;
    }

    @Override
    public float[] forge(
            int attacker, int block, Round round, float[] own, float[][] honest, int length) {
        throw new IllegalStateException("silent attackers send nothing");
    }
}

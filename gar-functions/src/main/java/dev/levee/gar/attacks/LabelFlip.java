package dev.levee.gar.attacks;

import dev.levee.gar.Attack;
import dev.levee.gar.Round;

/**
 * The attackers compute honest gradients on data whose labels y are replaced by C − 1 − y, for C
 * classes.
 */
public record LabelFlip() implements Attack {
    @Override
    public String name() {
        return "label-flip";
    }

    @Override
    public Sees sees() {
        return Sees.NOTHING;
    }

    @Override
    public boolean flipsLabels() {
        return true;
    }

    @Override
    public float[] forge(
            int attacker, int block, Round round, float[] own, float[][] honest, int length) {
        throw new IllegalStateException("label flipping happens at the data, not at the gradient");
    }
}

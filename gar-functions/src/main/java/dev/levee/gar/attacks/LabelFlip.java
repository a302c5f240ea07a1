package dev.levee.gar.attacks;

import dev.levee.gar.Attack;
import dev.levee.gar.Round;

/** Attackers compute honest gradients on data with labels C − 1 − y instead of y, for C classes. */
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
        throw new IllegalStateException("label flipping changes the data, not the gradient");
    }
}

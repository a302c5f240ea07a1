package dev.levee.gar.attacks;

import dev.levee.gar.Attack;
import dev.levee.gar.Round;

import java.util.Arrays;

/**
 * Sends the same non-finite value in every coordinate.
 *
 * @param name {@code nan} or {@code inf}
 * @param value the value
 */
public record Constant(String name, float value) implements Attack {
    /** Not a number everywhere. */
    public static final Constant NAN = new Constant("nan", Float.NaN);

    /** Positive infinity everywhere. */
    public static final Constant INFINITY = new Constant("inf", Float.POSITIVE_INFINITY);

    @Override
    public Sees sees() {
        return Sees.NOTHING;
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public float[] forge(
            int attacker, int block, Round round, float[] own, float[][] honest, int length) {
        float[] row = new float[length];
        Arrays.fill(row, value);
        return row;
    }
}

package dev.levee.learners.internal;

import dev.levee.learners.internal.network.CounterRandom;
import dev.levee.learners.internal.network.InitialValues;

/** Draws the random input of a generator. */
public final class Noise {
    private static final InitialValues NORMAL = new InitialValues.Normal(1);

    private Noise() {}

    /** Standard normal values. Each is a function of the seed and the value's index. */
    public static float[] normal(long seed, int count) {
        long key = CounterRandom.key(seed, "noise");
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = NORMAL.at(key, i);
        }
        return values;
    }
}

package dev.levee.estimation.fitting;

import java.util.SplittableRandom;

/**
 * Derives seeds from the purpose for which they are used, so that they do not depend on the order
 * of tasks or on the machine.
 */
final class Seeds {
    private Seeds() {}

    /** A separate seed for each path, by SplitMix64's finalizer (Steele et al. 2014). */
    static long of(long seed, long... path) {
        long state = mix(seed + 0x9E3779B97F4A7C15L);
        for (long each : path) {
            state = mix(state ^ mix(each + 0x9E3779B97F4A7C15L));
        }
        return state;
    }

    static SplittableRandom random(long seed, long... path) {
        return new SplittableRandom(of(seed, path));
    }

    private static long mix(long value) {
        long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}

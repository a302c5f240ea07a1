package dev.levee.learners.internal.network;

/**
 * Random numbers by counter. Number {@code index} of a stream is a function of the stream's key and
 * the index, so any part of a stream can be drawn on any machine and in any order. The mixing
 * function is that of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
 */
public final class CounterRandom {
    private static final long STEP = 0x9e3779b97f4a7c15L;

    private CounterRandom() {}

    /** Key of the stream that belongs to a name under a seed. */
    public static long key(long seed, String name) {
        long key = mix(seed + STEP);
        for (int i = 0; i < name.length(); i++) {
            key = mix(key ^ name.charAt(i)) + STEP;
        }
        return mix(key);
    }

    /** Number {@code index} of a stream, strictly between 0 and 1. */
    public static double uniform(long key, long index) {
        return ((mix(key + (index + 1) * STEP) >>> 11) + 0.5) * 0x1p-53;
    }

    private static long mix(long bits) {
        long mixed = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}

package dev.levee.gar;

/**
 * Random numbers by position instead of by order. Each draw is a function of a key and a counter,
 * so it does not depend on the order of draws or on how a vector is split. Keys and draws apply
 * splitmix64's mixing function (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
 * Generators", OOPSLA 2014). Identical on every machine.
 */
public final class Draws {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private Draws() {}

    /** The key of an independent sequence of draws, computed from an ordered list of values. */
    public static long key(long... parts) {
        long key = GOLDEN;
        for (long part : parts) {
            key = mix(key ^ mix(part + GOLDEN));
        }
        return key;
    }

    /** The 64 random bits of a key at a counter. */
    public static long bits(long key, long counter) {
        return mix(key + (counter + 1) * GOLDEN);
    }

    /** A number uniform in [0, 1), a multiple of 2⁻⁵³. */
    public static double uniform(long key, long counter) {
        return (bits(key, counter) >>> 11) * 0x1p-53;
    }

    /** A float uniform in [0, 1), a multiple of 2⁻²⁴. */
    public static float uniformFloat(long key, long counter) {
        return (bits(key, counter) >>> 40) * 0x1p-24f;
    }

    /** A standard normal number (Box and Muller's transform). */
    public static double normal(long key, long counter) {
        long bits = bits(key, counter);
        double radius = ((bits >>> 11) + 1) * 0x1p-53; // in (0, 1], so that its logarithm is finite
        double angle = (mix(bits + GOLDEN) >>> 11) * 0x1p-53;
        return StrictMath.sqrt(-2 * StrictMath.log(radius)) * StrictMath.cos(2 * Math.PI * angle);
    }

    private static long mix(long bits) {
        long z = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}

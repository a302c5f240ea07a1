package dev.levee.operators.rounds.securesum.crypto;

import java.math.BigInteger;

/** Converts numbers below 2²⁵⁶ to and from 32 bytes in little-endian order, as X25519 uses them. */
public final class FieldBytes {
    public static final int LENGTH = 32;

    private FieldBytes() {}

    public static byte[] of(BigInteger number) {
        byte[] big = number.toByteArray();
        byte[] little = new byte[LENGTH];
        for (int i = 0; i < Math.min(LENGTH, big.length); i++) {
            little[i] = big[big.length - 1 - i];
        }
        return little;
    }

    public static BigInteger number(byte[] little) {
        byte[] big = new byte[little.length];
        for (int i = 0; i < big.length; i++) {
            big[i] = little[little.length - 1 - i];
        }
        return new BigInteger(1, big);
    }
}

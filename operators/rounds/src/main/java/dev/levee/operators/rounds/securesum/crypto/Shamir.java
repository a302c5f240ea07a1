package dev.levee.operators.rounds.securesum.crypto;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Divides a secret into shares: t shares reconstruct it, and fewer reveal nothing about it (Shamir,
 * "How to Share a Secret", CACM 1979). Shares are values of a polynomial of degree t − 1 over the
 * integers modulo 2²⁵⁵ − 19, whose value at 0 is the secret. The arithmetic does not take constant
 * time; it runs only where the secret is known.
 */
public final class Shamir {
    /** The modulus of X25519's field, so a private key is one element. */
    public static final BigInteger PRIME = BigInteger.TWO.pow(255).subtract(BigInteger.valueOf(19));

    private Shamir() {}

    /**
     * Creates a polynomial.
     *
     * @param secret 32 bytes, a number below the prime
     * @param threshold t, at least 1
     * @param random determines all coefficients but the secret
     */
    public static List<BigInteger> polynomial(byte[] secret, int threshold, byte[] random) {
        List<BigInteger> coefficients = new ArrayList<>();
        coefficients.add(element(secret));
        for (int i = 1; i < threshold; i++) {
            byte[] next = Hkdf.key(random, new Digest("coefficient").with(i));
            coefficients.add(FieldBytes.number(next).mod(PRIME));
        }
        return coefficients;
    }

    private static BigInteger element(byte[] bytes) {
        if (!inField(bytes)) {
            throw new IllegalArgumentException("not a number of the field");
        }
        return FieldBytes.number(bytes);
    }

    /** True if these are 32 bytes with a number below the prime. */
    static boolean inField(byte[] bytes) {
        return bytes.length == FieldBytes.LENGTH && FieldBytes.number(bytes).compareTo(PRIME) < 0;
    }

    /** The share of a holder, numbered from 1. */
    public static byte[] share(List<BigInteger> polynomial, int holder) {
        BigInteger x = BigInteger.valueOf(holder);
        BigInteger sum = BigInteger.ZERO;
        for (int i = polynomial.size() - 1; i >= 0; i--) {
            sum = sum.multiply(x).add(polynomial.get(i)).mod(PRIME);
        }
        return FieldBytes.of(sum);
    }

    /**
     * Reconstructs the secret: the value at 0 of the polynomial of least degree through the shares,
     * by Lagrange's formula.
     *
     * @param shares by holder, as many as the threshold
     * @return 32 bytes; empty if a share is not an element of the field
     */
    public static Optional<byte[]> secret(SortedMap<Integer, byte[]> shares) {
        BigInteger sum = BigInteger.ZERO;
        if (!shares.values().stream().allMatch(Shamir::inField)) {
            return Optional.empty();
        }
        for (Map.Entry<Integer, byte[]> share : shares.entrySet()) {
            BigInteger above = element(share.getValue());
            BigInteger below = BigInteger.ONE;
            for (int other : shares.keySet()) {
                if (other != share.getKey()) {
                    above = above.multiply(BigInteger.valueOf(other)).mod(PRIME);
                    below =
                            below.multiply(BigInteger.valueOf((long) other - share.getKey()))
                                    .mod(PRIME);
                }
            }
            sum = sum.add(above.multiply(below.modInverse(PRIME)));
        }
        return Optional.of(FieldBytes.of(sum.mod(PRIME)));
    }
}

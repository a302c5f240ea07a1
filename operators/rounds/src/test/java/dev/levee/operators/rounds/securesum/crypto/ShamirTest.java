package dev.levee.operators.rounds.securesum.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

class ShamirTest {
    private static byte[] bytes(long number) {
        return FieldBytes.of(BigInteger.valueOf(number));
    }

    private static TreeMap<Integer, byte[]> shares(List<BigInteger> polynomial, int... holders) {
        TreeMap<Integer, byte[]> shares = new TreeMap<>();
        for (int holder : holders) {
            shares.put(holder, Shamir.share(polynomial, holder));
        }
        return shares;
    }

    /** 1234 + 166 x + 94 x² is 1494, 1942, 2578, 3402, 4414, 5614 at 1 to 6. */
    @Test
    void aPolynomialByHand() {
        List<BigInteger> polynomial = Stream.of(1234, 166, 94).map(BigInteger::valueOf).toList();
        long[] expected = {1494, 1942, 2578, 3402, 4414, 5614};
        for (int holder = 1; holder <= 6; holder++) {
            assertThat(Shamir.share(polynomial, holder)).isEqualTo(bytes(expected[holder - 1]));
        }
        // At 0 through (2, 1942), (4, 3402), (5, 4414): 1942·20/6 − 3402·10/2 + 4414·8/3 = 1234.
        assertThat(Shamir.secret(shares(polynomial, 2, 4, 5))).contains(bytes(1234));
        assertThat(Shamir.secret(shares(polynomial, 1, 2, 3))).contains(bytes(1234));
    }

    /** 5 − x, so at 6 it is −1, the prime less one. */
    @Test
    void valuesBelowZeroWrapAround() {
        List<BigInteger> line =
                List.of(BigInteger.valueOf(5), Shamir.PRIME.subtract(BigInteger.ONE));
        assertThat(Shamir.share(line, 6))
                .isEqualTo(FieldBytes.of(Shamir.PRIME.subtract(BigInteger.ONE)));
        assertThat(Shamir.secret(shares(line, 6, 7))).contains(bytes(5));
        assertThat(Shamir.PRIME.isProbablePrime(100)).isTrue();
    }

    @Test
    void anyThresholdOfSharesMakesUpTheSecretAndOneLessDoesNot() {
        for (long seed = 0; seed < 50; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int threshold = random.nextInt(2, 9);
            byte[] secret = new byte[32];
            random.nextBytes(secret);
            secret[31] &= 0x3F;
            byte[] coefficients = new byte[32];
            random.nextBytes(coefficients);
            List<BigInteger> polynomial = Shamir.polynomial(secret, threshold, coefficients);
            assertThat(polynomial).hasSize(threshold);
            int first = random.nextInt(1, 50);
            int[] holders = IntStream.range(0, threshold).map(i -> first + 3 * i).toArray();
            TreeMap<Integer, byte[]> shares = shares(polynomial, holders);
            assertThat(Shamir.secret(shares)).as("seed %d", seed).contains(secret);
            shares.remove(first);
            assertThat(Shamir.secret(shares).orElseThrow()).isNotEqualTo(secret);
            // With one less, any secret is as likely: a share that makes it up exists.
            shares.put(first, shares(polynomial, first).get(first).clone());
            shares.get(first)[0] ^= 1;
            assertThat(Shamir.secret(shares).orElseThrow()).isNotEqualTo(secret);
        }
    }

    @Test
    void whatIsNoNumberOfTheFieldIsNoShare() {
        TreeMap<Integer, byte[]> shares = new TreeMap<>();
        shares.put(1, FieldBytes.of(Shamir.PRIME));
        shares.put(2, bytes(3));
        assertThat(Shamir.secret(shares)).isEmpty();
        shares.put(1, new byte[31]);
        assertThat(Shamir.secret(shares)).isEmpty();
        assertThatThrownBy(() -> Shamir.polynomial(new byte[33], 2, new byte[32]))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

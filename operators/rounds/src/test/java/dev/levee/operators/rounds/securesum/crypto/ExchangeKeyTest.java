package dev.levee.operators.rounds.securesum.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.HexFormat;

class ExchangeKeyTest {
    private static final HexFormat HEX = HexFormat.of();

    /** RFC 7748, section 6.1. */
    @Test
    void theKeysOfTheStandard() {
        ExchangeKey alice =
                new ExchangeKey(
                        HEX.parseHex(
                                "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"));
        ExchangeKey bob =
                new ExchangeKey(
                        HEX.parseHex(
                                "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"));
        assertThat(HEX.formatHex(alice.publicKey()))
                .isEqualTo("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a");
        assertThat(HEX.formatHex(bob.publicKey()))
                .isEqualTo("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f");
        String shared = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742";
        assertThat(HEX.formatHex(alice.shared(bob.publicKey()).orElseThrow())).isEqualTo(shared);
        assertThat(HEX.formatHex(bob.shared(alice.publicKey()).orElseThrow())).isEqualTo(shared);
    }

    /** A key that is made up of shares is a number of the field. */
    @Test
    void aRandomKeyIsClampedBeforeItIsShared() {
        byte[] random = new byte[32];
        Arrays.fill(random, (byte) 0xFF);
        ExchangeKey key = ExchangeKey.ofRandom(random);
        assertThat(HEX.formatHex(key.scalar())).startsWith("f8").endsWith("7f");
        assertThat(key.publicKey()).isEqualTo(new ExchangeKey(random).publicKey());
    }

    @Test
    void keysOfSmallOrderAndNoKeysShareNothing() {
        ExchangeKey key = ExchangeKey.ofRandom(new byte[32]);
        assertThat(key.shared(new byte[32])).isEmpty();
        byte[] one = new byte[32];
        one[0] = 1;
        assertThat(key.shared(one)).isEmpty();
        assertThat(key.shared(new byte[31])).isEmpty();
        assertThat(key.shared(FieldBytes.of(Shamir.PRIME))).isEmpty();
    }

    /** RFC 5869, test case 1: the first 32 of its 42 bytes. */
    @Test
    void keysFromASecretAreThoseOfTheStandard() {
        byte[] key =
                Hkdf.key(
                        HEX.parseHex("000102030405060708090a0b0c"),
                        HEX.parseHex("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b"),
                        HEX.parseHex("f0f1f2f3f4f5f6f7f8f9"));
        assertThat(HEX.formatHex(key))
                .isEqualTo("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf");
    }

    @Test
    void onlyTheKeyOpensWhatItSealed() {
        byte[] key = new byte[32];
        byte[] sealed = SealedBox.seal(key, new byte[] {1, 2, 3});
        assertThat(sealed).hasSize(3 + SealedBox.TAG_LENGTH);
        assertThat(SealedBox.open(key, sealed)).contains(new byte[] {1, 2, 3});
        key[0] = 1;
        assertThat(SealedBox.open(key, sealed)).isEmpty();
        assertThat(SealedBox.open(key, new byte[2])).isEmpty();
    }
}

package dev.levee.connectors.kafka.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyPairGenerator;
import java.util.Arrays;
import java.util.HexFormat;

class SignatureTest {
    private static final byte[] MESSAGE = "a message".getBytes(StandardCharsets.US_ASCII);

    /** RFC 8032, section 7.1, test 1: the empty message. */
    private static final String OF_NOTHING =
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701"
                    + "cf9b46bd25bf5f0595bbe24655141438e7a100b";

    /** Order of the curve's base point. */
    private static final BigInteger ORDER =
            BigInteger.TWO.pow(252).add(new BigInteger("27742317777372353535851937790883648493"));

    @Test
    void signsAsTheStandardSays() {
        assertThat(TestKeys.JOB.sign(new byte[0])).asHexString().isEqualToIgnoringCase(OF_NOTHING);
        byte[] signature = HexFormat.of().parseHex(OF_NOTHING);
        assertThat(TestKeys.JOB_PUBLIC.verifies(new byte[0], signature)).isTrue();
        assertThat(TestKeys.WORKER_PUBLIC.verifies(new byte[0], signature)).isFalse();
    }

    @Test
    void aSignatureHasOneFormOnly() {
        byte[] signature = TestKeys.JOB.sign(MESSAGE);
        byte[] other = signature.clone();
        BigInteger greater = new BigInteger(1, reversed(signature, 32, 64)).add(ORDER);
        for (int i = 0; i < 32; i++) {
            other[32 + i] = greater.shiftRight(8 * i).byteValue();
        }
        assertThat(TestKeys.JOB_PUBLIC.verifies(MESSAGE, signature)).isTrue();
        assertThat(TestKeys.JOB_PUBLIC.verifies(MESSAGE, other)).isFalse();
    }

    private static byte[] reversed(byte[] bytes, int from, int to) {
        byte[] reversed = new byte[to - from];
        for (int i = 0; i < reversed.length; i++) {
            reversed[i] = bytes[to - 1 - i];
        }
        return reversed;
    }

    @Test
    void aSignatureOfAnyOtherLengthIsNone() {
        byte[] signature = TestKeys.JOB.sign(MESSAGE);
        for (int length = 0; length < 200; length++) {
            assertThat(TestKeys.JOB_PUBLIC.verifies(MESSAGE, Arrays.copyOf(signature, length)))
                    .isEqualTo(length == 64);
        }
    }

    /** All eight points for which some signature fits every message, or every eighth. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0100000000000000000000000000000000000000000000000000000000000000",
                "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                "0000000000000000000000000000000000000000000000000000000000000000",
                "0000000000000000000000000000000000000000000000000000000000000080",
                "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
                "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
                "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
                "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
            })
    void aKeyThatAnybodyCanSignForIsRefused(String point) {
        assertThatThrownBy(() -> TestKeys.verifying(point))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not an Ed25519 public key")
                .hasRootCauseMessage("small order");
    }

    @Test
    void whatIsNoKeyIsRefused() throws Exception {
        byte[] tooShort = Arrays.copyOf(TestKeys.JOB_PUBLIC.encoded(), 43);
        byte[] otherCurve =
                KeyPairGenerator.getInstance("Ed448").generateKeyPair().getPublic().getEncoded();
        byte[] offTheCurve = TestKeys.JOB_PUBLIC.encoded();
        Arrays.fill(offTheCurve, 12, 44, (byte) 0);
        offTheCurve[12] = 2;
        byte[] privateKey = TestKeys.JOB.encoded();
        for (byte[] bytes :
                new byte[][] {new byte[0], tooShort, otherCurve, offTheCurve, privateKey}) {
            assertThatThrownBy(() -> new VerifyingKey(bytes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("not an Ed25519 public key");
        }
        for (byte[] bytes : new byte[][] {new byte[0], TestKeys.JOB_PUBLIC.encoded()}) {
            assertThatThrownBy(() -> new SigningKey(bytes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("not an Ed25519 private key");
        }
    }

    @Test
    void keysTravel() throws Exception {
        byte[] signature = copy(TestKeys.JOB).sign(MESSAGE);
        assertThat(copy(TestKeys.JOB_PUBLIC).verifies(MESSAGE, signature)).isTrue();
        assertThat(copy(TestKeys.JOB_PUBLIC)).isEqualTo(TestKeys.JOB_PUBLIC);
    }

    @SuppressWarnings("unchecked")
    private static <T> T copy(T object) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (T) in.readObject();
        }
    }

    @Test
    void aPrivateKeyDoesNotPrintItself() {
        assertThat(TestKeys.JOB).hasToString("Ed25519 private key");
    }
}

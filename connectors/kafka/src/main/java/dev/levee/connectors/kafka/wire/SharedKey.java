package dev.levee.connectors.kafka.wire;

import dev.levee.operators.rounds.securesum.crypto.KeyStream;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPrivateKeySpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Arrays;

import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that two owners of Ed25519 keys share without exchanging a message: X25519 (RFC 7748)
 * over the same keys, converted from the Edwards to the Montgomery form of the curve. It lets each
 * owner check at the cost of a hash that the other made a record; the signature proves this to
 * third parties. Safe for concurrent use.
 */
public final class SharedKey {
    static final int TAG_LENGTH = 16;

    private static final String HMAC = "HmacSHA256";
    private static final byte[] MASK = "levee/mask:".getBytes(StandardCharsets.US_ASCII);

    private final SecretKeySpec key;

    private SharedKey(SecretKeySpec key) {
        this.key = key;
    }

    /**
     * The key that the owners of {@code own} and {@code other} share; both compute the same key.
     */
    public static SharedKey of(SigningKey own, VerifyingKey other) {
        try {
            // RFC 8032, 5.1.5: the scalar is half of the seed's hash; X25519 clamps it alike.
            byte[] scalar =
                    Arrays.copyOf(MessageDigest.getInstance("SHA-512").digest(own.seed()), 32);
            KeyFactory factory = KeyFactory.getInstance("X25519");
            KeyAgreement agreement = KeyAgreement.getInstance("X25519");
            agreement.init(
                    factory.generatePrivate(
                            new XECPrivateKeySpec(NamedParameterSpec.X25519, scalar)));
            agreement.doPhase(
                    factory.generatePublic(
                            new XECPublicKeySpec(NamedParameterSpec.X25519, other.montgomeryU())),
                    true);
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(Frames.domain());
            return new SharedKey(
                    new SecretKeySpec(digest.digest(agreement.generateSecret()), HMAC));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("keys that share nothing", e);
        }
    }

    /** The tag of a message, 16 bytes: the first half of its HMAC-SHA-256. */
    byte[] tag(byte[] message) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            return Arrays.copyOf(mac.doFinal(message), TAG_LENGTH);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * The mask of the two owners in a round, the same for both. HKDF-Expand (RFC 5869) derives the
     * key of an AES-256 stream in counter mode (NIST SP 800-38A).
     */
    public KeyStream stream(long run, long round) {
        ByteBuffer info =
                ByteBuffer.allocate(MASK.length + 2 * Long.BYTES + 1)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put(MASK)
                        .putLong(run)
                        .putLong(round)
                        .put((byte) 1);
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            return new KeyStream(mac.doFinal(info.array()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Omits the key, so that it does not appear in logs. */
    @Override
    public String toString() {
        return "shared key";
    }
}

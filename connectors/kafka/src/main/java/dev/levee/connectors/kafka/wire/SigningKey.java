package dev.levee.connectors.kafka.wire;

import java.io.Serializable;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;

/**
 * An Ed25519 private key (RFC 8032). Safe for concurrent use.
 *
 * <p>Serializable because the job that signs models may run on a cluster.
 */
public final class SigningKey implements Serializable {
    private static final long serialVersionUID = 1L;

    private final byte[] encoded;
    private transient PrivateKey key;
    private transient SharedKey shared;

    /**
     * Reads a key.
     *
     * @param encoded PKCS #8
     * @throws IllegalArgumentException if it is not an Ed25519 private key
     */
    public SigningKey(byte[] encoded) {
        this.encoded = encoded.clone();
        key();
    }

    /**
     * This key, directed at one reader: frames signed with it carry a tag that this reader can
     * check faster than the signature.
     */
    public SigningKey towards(VerifyingKey reader) {
        SigningKey key = new SigningKey(encoded);
        key.shared = SharedKey.of(this, reader);
        return key;
    }

    /** The key shared with the reader, null if there is no reader. */
    SharedKey shared() {
        return shared;
    }

    /** The seed of the key, 32 bytes. */
    byte[] seed() {
        return ((EdECPrivateKey) key()).getBytes().orElseThrow();
    }

    /** A copy of the encoding in PKCS #8. */
    public byte[] encoded() {
        return encoded.clone();
    }

    /** The signature of a message, 64 bytes. */
    public byte[] sign(byte[] message) {
        try {
            Signature signature = Signature.getInstance("Ed25519");
            signature.initSign(key());
            signature.update(message);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private synchronized PrivateKey key() {
        if (key == null) {
            try {
                key =
                        KeyFactory.getInstance("Ed25519")
                                .generatePrivate(new PKCS8EncodedKeySpec(encoded));
            } catch (GeneralSecurityException e) {
                throw new IllegalArgumentException("not an Ed25519 private key", e);
            }
        }
        return key;
    }

    /** Omits the key, so that it does not appear in logs. */
    @Override
    public String toString() {
        return "Ed25519 private key";
    }
}

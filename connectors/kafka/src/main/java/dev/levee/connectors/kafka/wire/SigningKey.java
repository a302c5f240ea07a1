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
     * A key.
     *
     * @param encoded PKCS #8
     * @throws IllegalArgumentException if it is no Ed25519 private key
     */
    public SigningKey(byte[] encoded) {
        this.encoded = encoded.clone();
        key();
    }

    /**
     * The same key, used toward one reader: frames made with it carry a tag that this reader can
     * check sooner than the signature.
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

    /** The 32 bytes that the key is made of. */
    byte[] seed() {
        return ((EdECPrivateKey) key()).getBytes().orElseThrow();
    }

    /** PKCS #8; a copy. */
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

    /** Leaves the key out, so that no log shows it. */
    @Override
    public String toString() {
        return "Ed25519 private key";
    }
}

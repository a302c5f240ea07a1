package dev.levee.operators.wire;

import java.io.Serializable;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;

/** An Ed25519 public key (RFC 8032). Safe for concurrent use. */
public final class VerifyingKey implements Serializable {
    private static final long serialVersionUID = 1L;

    private final byte[] encoded;
    private transient PublicKey key;

    /**
     * A key.
     *
     * @param encoded X.509 SubjectPublicKeyInfo
     * @throws IllegalArgumentException if it is no Ed25519 public key
     */
    public VerifyingKey(byte[] encoded) {
        this.encoded = encoded.clone();
        key();
    }

    /** X.509 SubjectPublicKeyInfo; a copy. */
    public byte[] encoded() {
        return encoded.clone();
    }

    /** True if {@code signature} is this key's signature of {@code message}. */
    public boolean verifies(byte[] message, byte[] signature) {
        try {
            Signature check = Signature.getInstance("Ed25519");
            check.initVerify(key());
            check.update(message);
            return check.verify(signature);
        } catch (GeneralSecurityException e) {
            // A signature that is no point of the curve.
            return false;
        }
    }

    private synchronized PublicKey key() {
        if (key == null) {
            try {
                key =
                        KeyFactory.getInstance("Ed25519")
                                .generatePublic(new X509EncodedKeySpec(encoded));
            } catch (GeneralSecurityException e) {
                throw new IllegalArgumentException("not an Ed25519 public key", e);
            }
        }
        return key;
    }
}

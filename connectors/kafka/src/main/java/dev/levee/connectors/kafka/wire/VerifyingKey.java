package dev.levee.connectors.kafka.wire;

import java.io.Serializable;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

/** An Ed25519 public key (RFC 8032). Safe for concurrent use. */
public final class VerifyingKey implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int SIGNATURE_LENGTH = 64;
    private static final int FINGERPRINT_BYTES = 8;

    /** The prime 2^255 − 19. */
    private static final BigInteger P =
            BigInteger.ONE.shiftLeft(255).subtract(BigInteger.valueOf(19));

    /** The curve's d, −121665/121666. */
    private static final BigInteger D =
            BigInteger.valueOf(-121665).multiply(BigInteger.valueOf(121666).modInverse(P)).mod(P);

    private final byte[] encoded;
    private transient PublicKey key;

    /**
     * Reads a key.
     *
     * @param encoded X.509 SubjectPublicKeyInfo
     * @throws IllegalArgumentException if it is not an Ed25519 public key, or has a small order, so
     *     that anybody can forge its signatures
     */
    public VerifyingKey(byte[] encoded) {
        this.encoded = encoded.clone();
        key();
    }

    /** A copy of the encoding as X.509 SubjectPublicKeyInfo. */
    public byte[] encoded() {
        return encoded.clone();
    }

    /** The first 16 hexadecimal digits of SHA-256 over the key, to compare by eye. */
    public String fingerprint() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(encoded);
            return HexFormat.of().formatHex(digest, 0, FINGERPRINT_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has SHA-256
        }
    }

    /** True if {@code signature} is this key's signature of {@code message}. */
    public boolean verifies(byte[] message, byte[] signature) {
        if (signature.length != SIGNATURE_LENGTH) {
            return false;
        }
        try {
            Signature check = Signature.getInstance("Ed25519");
            check.initVerify(key());
            check.update(message);
            return check.verify(signature);
        } catch (GeneralSecurityException e) {
            return false; // the signature is not well formed
        }
    }

    /**
     * The key's point on the Montgomery form of the curve: u = (1 + y) / (1 − y), RFC 7748, 4.1.
     */
    BigInteger montgomeryU() {
        BigInteger y = ((EdECPublicKey) key()).getPoint().getY();
        return divided(BigInteger.ONE.add(y), BigInteger.ONE.subtract(y));
    }

    private synchronized PublicKey key() {
        if (key == null) {
            try {
                PublicKey read =
                        KeyFactory.getInstance("Ed25519")
                                .generatePublic(new X509EncodedKeySpec(encoded));
                // The factory does not check that the point is on the curve.
                Signature.getInstance("Ed25519").initVerify(read);
                if (smallOrder(((EdECPublicKey) read).getPoint().getY())) {
                    throw new InvalidKeyException("small order");
                }
                key = read;
            } catch (GeneralSecurityException e) {
                throw new IllegalArgumentException("not an Ed25519 public key", e);
            }
        }
        return key;
    }

    /**
     * True if eight times the point is the neutral element (0, 1). Signatures of such a key can be
     * guessed.
     */
    private static boolean smallOrder(BigInteger y) {
        BigInteger doubled = y;
        for (int i = 0; i < 3; i++) {
            BigInteger yy = doubled.multiply(doubled).mod(P);
            BigInteger dyy = D.multiply(yy).mod(P);
            BigInteger xx = divided(yy.subtract(BigInteger.ONE), dyy.add(BigInteger.ONE));
            doubled = divided(yy.add(xx), BigInteger.ONE.subtract(dyy.multiply(xx)));
        }
        return doubled.equals(BigInteger.ONE);
    }

    private static BigInteger divided(BigInteger numerator, BigInteger denominator) {
        return numerator.multiply(denominator.modInverse(P)).mod(P);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VerifyingKey that && Arrays.equals(encoded, that.encoded);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(encoded);
    }
}

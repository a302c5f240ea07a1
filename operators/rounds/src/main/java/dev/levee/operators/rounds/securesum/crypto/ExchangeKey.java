package dev.levee.operators.rounds.securesum.crypto;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPrivateKeySpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Optional;

import javax.crypto.KeyAgreement;

/** A key pair for key agreement by X25519 (RFC 7748), used in one round only. */
public final class ExchangeKey {
    public static final int LENGTH = 32;

    private static final String X25519 = "X25519";
    private static final byte[] BASE = FieldBytes.of(BigInteger.valueOf(9));

    private final byte[] scalar;
    private final PrivateKey key;

    /**
     * Creates the pair of a scalar.
     *
     * @param scalar 32 bytes, used unchanged
     */
    public ExchangeKey(byte[] scalar) {
        this.scalar = scalar.clone();
        try {
            key =
                    KeyFactory.getInstance(X25519)
                            .generatePrivate(
                                    new XECPrivateKeySpec(NamedParameterSpec.X25519, this.scalar));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("not a key of X25519", e);
        }
    }

    /** Creates a pair from 32 random bytes; X25519 fixes five of the bits. */
    public static ExchangeKey ofRandom(byte[] random) {
        byte[] clamped = random.clone();
        clamped[0] &= (byte) 0xF8;
        clamped[31] = (byte) (clamped[31] & 0x7F | 0x40);
        return new ExchangeKey(clamped);
    }

    /** The private key, 32 bytes. */
    public byte[] scalar() {
        return scalar.clone();
    }

    /** The public key, 32 bytes. */
    public byte[] publicKey() {
        return shared(BASE).orElseThrow();
    }

    /**
     * The secret shared with the owner of a public key, 32 bytes; empty if the bytes are not a
     * public key, or are one of small order, whose secret everyone would know.
     */
    public Optional<byte[]> shared(byte[] other) {
        if (!Shamir.inField(other)) {
            return Optional.empty();
        }
        try {
            PublicKey theirs =
                    KeyFactory.getInstance(X25519)
                            .generatePublic(
                                    new XECPublicKeySpec(
                                            NamedParameterSpec.X25519, FieldBytes.number(other)));
            KeyAgreement agreement = KeyAgreement.getInstance(X25519);
            agreement.init(key);
            agreement.doPhase(theirs, true);
            return Optional.of(agreement.generateSecret());
        } catch (InvalidKeyException e) {
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}

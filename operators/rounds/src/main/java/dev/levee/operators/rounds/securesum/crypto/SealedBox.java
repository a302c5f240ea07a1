package dev.levee.operators.rounds.securesum.crypto;

import java.security.GeneralSecurityException;
import java.util.Optional;

import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts a message that only one other device may read (AES-256 in Galois/counter mode, NIST SP
 * 800-38D). Each key encrypts only one message, so the nonce is zero.
 */
public final class SealedBox {
    public static final int TAG_LENGTH = 16;

    private static final int NONCE_LENGTH = 12;

    private SealedBox() {}

    public static byte[] seal(byte[] key, byte[] plain) {
        try {
            return cipher(Cipher.ENCRYPT_MODE, key).doFinal(plain);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Decrypts a message; empty if it was not encrypted with this key. */
    public static Optional<byte[]> open(byte[] key, byte[] sealed) {
        if (sealed.length < TAG_LENGTH) {
            return Optional.empty();
        }
        try {
            return Optional.of(cipher(Cipher.DECRYPT_MODE, key).doFinal(sealed));
        } catch (AEADBadTagException e) {
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Cipher cipher(int mode, byte[] key) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(
                mode,
                new SecretKeySpec(key, "AES"),
                new GCMParameterSpec(Byte.SIZE * TAG_LENGTH, new byte[NONCE_LENGTH]));
        return cipher;
    }
}

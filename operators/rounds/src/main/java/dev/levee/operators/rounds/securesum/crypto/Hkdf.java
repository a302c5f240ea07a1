package dev.levee.operators.rounds.securesum.crypto;

import java.security.GeneralSecurityException;
import java.util.Arrays;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Derives keys from a secret: HKDF with SHA-256 (RFC 5869), limited to one block of 32 bytes. */
public final class Hkdf {
    private static final String HMAC = "HmacSHA256";
    private static final byte[] NO_SALT = new byte[32];

    private Hkdf() {}

    /**
     * Derives a key.
     *
     * @param secret a secret of any length
     * @param info the purpose of the key
     */
    public static byte[] key(byte[] secret, Digest info) {
        return key(NO_SALT, secret, info.bytes());
    }

    static byte[] key(byte[] salt, byte[] secret, byte[] info) {
        byte[] first = Arrays.copyOf(info, info.length + 1);
        first[info.length] = 1;
        return hmac(hmac(salt, secret), first);
    }

    private static byte[] hmac(byte[] key, byte[] message) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac.doFinal(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}

package dev.levee.operators.rounds.securesum.crypto;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;

import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** A pseudorandom sequence of integers that follows from a key. */
public final class KeyStream {
    private static final int BLOCK = 16;
    private static final int WORDS = BLOCK / Integer.BYTES;
    private static final int CHUNK = 1 << 12;

    private final byte[] zeros = new byte[CHUNK * Integer.BYTES];
    private final byte[] bytes = new byte[zeros.length];
    private final Cipher cipher;

    /**
     * The integers of a key: AES-256 in counter mode (NIST SP 800-38A) from a counter of zeros.
     *
     * @param key 32 bytes, used for this stream only
     */
    public KeyStream(byte[] key) {
        this(key, 0);
    }

    /**
     * The integers of a key after some that are skipped.
     *
     * @param skipped number of skipped integers, 0 or more
     */
    public KeyStream(byte[] key, int skipped) {
        byte[] counter =
                ByteBuffer.allocate(BLOCK).putInt(BLOCK - Integer.BYTES, skipped / WORDS).array();
        try {
            cipher = Cipher.getInstance("AES/CTR/NoPadding");
            cipher.init(
                    Cipher.ENCRYPT_MODE,
                    new SecretKeySpec(key, "AES"),
                    new IvParameterSpec(counter));
            cipher.update(zeros, 0, skipped % WORDS * Integer.BYTES, bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("not a key of AES-256", e);
        }
    }

    /**
     * Adds the next integers, each of four bytes in little-endian order.
     *
     * @param sums changed in place; wraps around
     * @param negative true to subtract them
     */
    public void addTo(int[] sums, boolean negative) {
        for (int from = 0; from < sums.length; from += CHUNK) {
            int count = Math.min(CHUNK, sums.length - from);
            try {
                cipher.update(zeros, 0, count * Integer.BYTES, bytes);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
            ByteBuffer next = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < count; i++) {
                int mask = next.getInt();
                sums[from + i] += negative ? -mask : mask;
            }
        }
    }
}

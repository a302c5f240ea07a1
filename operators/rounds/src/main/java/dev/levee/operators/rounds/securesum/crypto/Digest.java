package dev.levee.operators.rounds.securesum.crypto;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * SHA-256 over a label and parts. The length of each part precedes it, so different lists of parts
 * have different inputs.
 */
public final class Digest {
    public static final int LENGTH = 32;

    private final MessageDigest sha;

    /** Creates a digest with a label that tells its purpose. */
    public Digest(String label) {
        try {
            sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
        with(("levee/sum/1:" + label).getBytes(StandardCharsets.US_ASCII));
    }

    public Digest with(byte[] part) {
        sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
        sha.update(part);
        return this;
    }

    public Digest with(long part) {
        return with(ByteBuffer.allocate(Long.BYTES).putLong(part).array());
    }

    public byte[] bytes() {
        return sha.digest();
    }
}

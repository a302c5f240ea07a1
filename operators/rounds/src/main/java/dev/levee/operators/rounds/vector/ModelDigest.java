package dev.levee.operators.rounds.vector;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Computes the SHA-256 of parameters. A block's digest is that of its values as little-endian
 * float32; a model's digest is that of its blocks' digests, in order. So each shard hashes its own
 * block, and the whole vector gives the same digest.
 */
public final class ModelDigest {
    private static final int STEP = 1 << 14;

    private ModelDigest() {}

    /** The digest of a block, 32 bytes. */
    public static byte[] ofBlock(float[] values) {
        MessageDigest digest = sha256();
        ByteBuffer bytes = ByteBuffer.allocate(STEP * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at < values.length; at += STEP) {
            int count = Math.min(STEP, values.length - at);
            bytes.asFloatBuffer().put(values, at, count);
            digest.update(bytes.array(), 0, count * Float.BYTES);
        }
        return digest.digest();
    }

    /** The digest of a model whose blocks have these digests, 32 bytes. */
    public static byte[] ofBlocks(Iterable<byte[]> digests) {
        MessageDigest digest = sha256();
        digests.forEach(digest::update);
        return digest.digest();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}

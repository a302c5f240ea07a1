package dev.levee.federated.gateway.device;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Bytes of which a sender has announced how many there are. The announcement is not believed: the
 * buffer grows with the bytes that have come, so it is at most twice as long as they are.
 */
final class Download {
    private static final int FIRST = 1 << 16;

    private final int announced;
    private byte[] bytes;
    private int length;

    /**
     * An empty one.
     *
     * @param announced how many bytes are to come
     */
    Download(int announced) {
        this.announced = announced;
        bytes = new byte[Math.min(announced, FIRST)];
    }

    /** Takes the first bytes of a piece; those beyond the announced number are left out. */
    void add(byte[] piece, int count) {
        int taken = Math.min(count, announced - length);
        if (length + taken > bytes.length) {
            long doubled = Math.max(2L * bytes.length, length + taken);
            bytes = Arrays.copyOf(bytes, (int) Math.min(announced, doubled));
        }
        System.arraycopy(piece, 0, bytes, length, taken);
        length += taken;
    }

    /** How many bytes have come. */
    int length() {
        return length;
    }

    /** How many bytes the buffer has room for. */
    int reserved() {
        return bytes.length;
    }

    /** True if all that were announced have come. */
    boolean complete() {
        return length == announced;
    }

    /** The bytes, from the first to the last that has come. */
    ByteBuffer bytes() {
        return ByteBuffer.wrap(bytes, 0, length).order(ByteOrder.LITTLE_ENDIAN);
    }
}

package dev.levee.federated.gateway.device;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Receives bytes whose number a sender has announced. The announcement is not trusted: the buffer
 * grows with the received bytes, so it is at most twice as long as they are.
 */
final class Download {
    private static final int FIRST = 1 << 16;

    private final int announced;
    private byte[] bytes;
    private int length;

    /**
     * Creates an empty download.
     *
     * @param announced announced number of bytes
     */
    Download(int announced) {
        this.announced = announced;
        bytes = new byte[Math.min(announced, FIRST)];
    }

    /** Adds the first {@code count} bytes of a piece, up to the announced number in total. */
    void add(byte[] piece, int count) {
        int taken = Math.min(count, announced - length);
        if (length + taken > bytes.length) {
            long doubled = Math.max(2L * bytes.length, length + taken);
            bytes = Arrays.copyOf(bytes, (int) Math.min(announced, doubled));
        }
        System.arraycopy(piece, 0, bytes, length, taken);
        length += taken;
    }

    /** The number of received bytes. */
    int length() {
        return length;
    }

    /** The capacity of the buffer in bytes. */
    int reserved() {
        return bytes.length;
    }

    /** True if all announced bytes were received. */
    boolean complete() {
        return length == announced;
    }

    /** The received bytes. */
    ByteBuffer bytes() {
        return ByteBuffer.wrap(bytes, 0, length).order(ByteOrder.LITTLE_ENDIAN);
    }
}

package dev.levee.operators.rounds.codec;

import java.io.DataOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Cuts bytes into chunks: a length, a CRC-32C, the bytes. The checksum covers the kind's name, all
 * earlier chunks, and this one. An empty chunk is the last.
 */
final class ChunkOutput extends OutputStream {
    static final int CHUNK = 1 << 16;

    /** A thread writes one chunk at a time, so one buffer per thread is enough. */
    private static final ThreadLocal<byte[]> BUFFER =
            ThreadLocal.withInitial(() -> new byte[CHUNK]);

    private final DataOutput out;
    private final CRC32C sum;
    private final byte[] buffer = BUFFER.get();
    private int filled;

    ChunkOutput(String kind, DataOutput out) {
        this.out = out;
        this.sum = sum(kind);
    }

    static CRC32C sum(String kind) {
        CRC32C sum = new CRC32C();
        sum.update(kind.getBytes(StandardCharsets.UTF_8));
        return sum;
    }

    @Override
    public void write(int value) throws IOException {
        if (filled == CHUNK) {
            chunk(buffer, 0, filled);
            filled = 0;
        }
        buffer[filled++] = (byte) value;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        if (length > CHUNK - filled) {
            chunk(buffer, 0, filled);
            filled = 0;
        }
        if (length >= CHUNK) {
            for (int at = 0; at < length; at += CHUNK) {
                chunk(bytes, from + at, Math.min(CHUNK, length - at));
            }
        } else {
            System.arraycopy(bytes, from, buffer, filled, length);
            filled += length;
        }
    }

    private void chunk(byte[] bytes, int from, int length) throws IOException {
        if (length > 0) {
            sum.update(bytes, from, length);
            out.writeInt(length);
            out.writeInt((int) sum.getValue());
            out.write(bytes, from, length);
        }
    }

    /** Writes the remaining bytes and the empty chunk at the end. */
    void end() throws IOException {
        chunk(buffer, 0, filled);
        out.writeInt(0);
    }
}

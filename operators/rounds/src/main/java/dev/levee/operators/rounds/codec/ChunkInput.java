package dev.levee.operators.rounds.codec;

import java.io.DataInput;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32C;

/**
 * Reads the chunks that {@link ChunkOutput} wrote; passes on only bytes whose checksum is right.
 */
final class ChunkInput extends InputStream {
    private static final ThreadLocal<byte[]> BUFFER =
            ThreadLocal.withInitial(() -> new byte[ChunkOutput.CHUNK]);

    private final String kind;
    private final DataInput in;
    private final CRC32C sum;
    private final byte[] chunk = BUFFER.get();
    private int length;
    private int at;
    private boolean ended;

    ChunkInput(String kind, DataInput in) {
        this.kind = kind;
        this.in = in;
        this.sum = ChunkOutput.sum(kind);
    }

    @Override
    public int read() throws IOException {
        return more() ? chunk[at++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] bytes, int from, int most) throws IOException {
        if (most == 0) {
            return 0;
        }
        if (!more()) {
            return -1;
        }
        int count = Math.min(most, length - at);
        System.arraycopy(chunk, at, bytes, from, count);
        at += count;
        return count;
    }

    /** True if there is another byte; reads the next chunk if necessary. */
    private boolean more() throws IOException {
        if (at < length) {
            return true;
        }
        if (ended) {
            return false;
        }
        length = in.readInt();
        at = 0;
        ended = length == 0;
        if (ended) {
            return false;
        }
        if (length < 0 || length > chunk.length) {
            throw damaged();
        }
        int claimed = in.readInt();
        in.readFully(chunk, 0, length);
        sum.update(chunk, 0, length);
        if ((int) sum.getValue() != claimed) {
            throw damaged();
        }
        return true;
    }

    /** Checks that all bytes have been read. */
    void end() throws IOException {
        if (more()) {
            throw damaged();
        }
    }

    private IOException damaged() {
        return new IOException(
                "state of kind %s is damaged, its checksum is wrong: resume from another checkpoint"
                        .formatted(kind));
    }
}

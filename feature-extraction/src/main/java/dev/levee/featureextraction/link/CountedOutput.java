package dev.levee.featureextraction.link;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Counts the bytes that are written through it. Long arrays are written in pieces, so that the
 * count grows while they are written.
 */
final class CountedOutput extends FilterOutputStream {
    private volatile long count;

    CountedOutput(OutputStream out) {
        super(out);
    }

    long count() {
        return count;
    }

    @Override
    public void write(int value) throws IOException {
        out.write(value);
        add(1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        for (int at = 0; at < length; at += MessageStream.CHUNK) {
            int piece = Math.min(MessageStream.CHUNK, length - at);
            out.write(from, offset + at, piece);
            add(piece);
        }
    }

    /** Called by the writing thread; other threads may read the count. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void add(int bytes) {
        count += bytes;
    }
}

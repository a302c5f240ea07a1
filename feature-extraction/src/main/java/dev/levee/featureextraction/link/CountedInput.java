package dev.levee.featureextraction.link;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts the bytes that are read through it. */
final class CountedInput extends FilterInputStream {
    private volatile long count;

    CountedInput(InputStream in) {
        super(in);
    }

    long count() {
        return count;
    }

    @Override
    public int read() throws IOException {
        int read = in.read();
        add(read < 0 ? 0 : 1);
        return read;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        int read = in.read(to, offset, length);
        add(Math.max(0, read));
        return read;
    }

    /** Called by the reading thread; other threads may read the count. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void add(int bytes) {
        count += bytes;
    }
}

package dev.levee.learners.internal.python;

import java.nio.FloatBuffer;
import java.util.stream.IntStream;

/**
 * Floats in memory that two processes map. Several threads copy long arrays in pieces, because one
 * thread cannot use the full memory bandwidth.
 */
final class SharedFloats {
    /** Number of floats that one thread copies at a time, 1 MiB. */
    private static final int PIECE = 1 << 18;

    private final FloatBuffer memory;

    SharedFloats(MappedFile file) {
        memory = file.from(0).asFloatBuffer();
    }

    /** Writes the values from index {@code from} on to the same indices. */
    void put(float[] values, int from) {
        copy(from, values.length, (at, length) -> memory.put(at, values, at, length));
    }

    /** Fills an array with the first values. */
    void get(float[] values) {
        copy(0, values.length, (at, length) -> memory.get(at, values, at, length));
    }

    private interface Piece {
        void copy(int at, int length);
    }

    private static void copy(int from, int to, Piece piece) {
        int pieces = (to - from + PIECE - 1) / PIECE;
        IntStream all = IntStream.range(0, pieces);
        (pieces > 1 ? all.parallel() : all)
                .forEach(
                        i -> {
                            int at = from + i * PIECE;
                            piece.copy(at, Math.min(PIECE, to - at));
                        });
    }
}

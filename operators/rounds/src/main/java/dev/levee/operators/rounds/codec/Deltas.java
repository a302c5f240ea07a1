package dev.levee.operators.rounds.codec;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Encodes ascending ids as differences: the first id, then the difference of each from the previous
 * one. Each number is written in groups of 7 bits, lowest first; the highest bit is set in all its
 * bytes but the last.
 */
final class Deltas {
    private static final int GROUP = 7;
    private static final int MORE = 1 << GROUP;

    private Deltas() {}

    static byte[] bytes(int[] ids) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(2 * ids.length);
        int before = 0;
        for (int id : ids) {
            int left = id - before;
            while (left >= MORE) {
                out.write(left & MORE - 1 | MORE);
                left >>>= GROUP;
            }
            out.write(left);
            before = id;
        }
        return out.toByteArray();
    }

    /** Reads all remaining ids of a buffer; allocates no more than its bytes can hold. */
    static int[] read(ByteBuffer in) {
        int[] ids = new int[in.remaining()];
        int count = 0;
        int id = 0;
        while (in.hasRemaining()) {
            int delta = 0;
            int shift = 0;
            byte group;
            do {
                group = in.get();
                if (shift > 4 * GROUP) {
                    throw new IllegalArgumentException("an id of more than 32 bits");
                }
                delta |= (group & MORE - 1) << shift;
                shift += GROUP;
            } while (group < 0);
            id += delta;
            ids[count++] = id;
        }
        return Arrays.copyOf(ids, count);
    }
}

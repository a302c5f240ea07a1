package dev.levee.operators.rounds.codec;

import java.io.IOException;

/** Codecs of enum constants, by ordinal. */
final class Names {
    private Names() {}

    /** The codec that writes one byte for each constant. */
    static <E extends Enum<E>> Codec<E> codec(E[] all) {
        return Codec.with(
                (each, out) -> out.writeByte(each.ordinal()),
                in -> all[of(all.length, in.readByte())]);
    }

    /** Returns the ordinal if it is valid for this number of constants. */
    static int of(int count, int ordinal) throws IOException {
        if (ordinal < 0 || ordinal >= count) {
            throw new IOException("constant " + ordinal + " of " + count);
        }
        return ordinal;
    }
}

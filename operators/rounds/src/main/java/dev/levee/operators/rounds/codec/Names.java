package dev.levee.operators.rounds.codec;

import java.io.IOException;

/** Constants by their ordinals. */
final class Names {
    private Names() {}

    /** A byte each. */
    static <E extends Enum<E>> Codec<E> codec(E[] all) {
        return Codec.with(
                (each, out) -> out.writeByte(each.ordinal()),
                in -> all[of(all.length, in.readByte())]);
    }

    /** An ordinal, if there are that many constants. */
    static int of(int count, int ordinal) throws IOException {
        if (ordinal < 0 || ordinal >= count) {
            throw new IOException("constant " + ordinal + " of " + count);
        }
        return ordinal;
    }
}

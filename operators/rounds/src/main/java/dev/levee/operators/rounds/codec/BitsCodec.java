package dev.levee.operators.rounds.codec;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.BitSet;

/** Codec of sets of small numbers. */
final class BitsCodec {
    static final Codec<BitSet> INSTANCE = Codec.with(BitsCodec::write, BitsCodec::read);

    private BitsCodec() {}

    static void write(BitSet bits, DataOutput out) throws IOException {
        ArrayCodec.writeLongs(bits.toLongArray(), out);
    }

    static BitSet read(DataInput in) throws IOException {
        return BitSet.valueOf(ArrayCodec.readLongs(in));
    }
}

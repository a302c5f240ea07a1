package dev.levee.operators.flink.internal.codec;

import dev.levee.operators.rounds.codec.Codec;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Records of a topic before the gate has looked at them; nobody writes to them. */
final class RawCodec implements Codec<byte[]> {
    @Override
    public void write(byte[] record, DataOutput out) throws IOException {
        out.writeInt(record.length);
        out.write(record);
    }

    @Override
    public byte[] read(DataInput in) throws IOException {
        byte[] record = new byte[in.readInt()];
        in.readFully(record);
        return record;
    }
}

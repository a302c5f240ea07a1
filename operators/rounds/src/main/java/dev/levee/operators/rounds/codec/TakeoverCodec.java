package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.Takeover;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Who has begun to read which replica. */
final class TakeoverCodec implements Codec<Takeover> {
    @Override
    public void write(Takeover takeover, DataOutput out) throws IOException {
        out.writeInt(takeover.attempt());
        out.writeLong(takeover.round());
        out.writeInt(takeover.from());
        out.writeInt(takeover.to());
        out.writeInt(takeover.participants());
        out.writeInt(takeover.older());
        out.writeLong(takeover.waitedMicros());
    }

    @Override
    public Takeover read(DataInput in) throws IOException {
        return new Takeover(
                in.readInt(),
                in.readLong(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readLong());
    }
}

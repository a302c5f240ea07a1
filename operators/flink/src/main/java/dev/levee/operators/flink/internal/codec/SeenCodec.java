package dev.levee.operators.flink.internal.codec;

import dev.levee.operators.flink.internal.kafka.Seen;
import dev.levee.operators.rounds.codec.Codec;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** What a gate remembers. */
final class SeenCodec implements Codec<Seen> {
    @Override
    public void write(Seen seen, DataOutput out) throws IOException {
        out.writeInt(seen.worker());
        out.writeInt(seen.block());
        out.writeLong(seen.round());
        out.writeInt(seen.checksum().length);
        out.write(seen.checksum());
        out.writeLong(seen.crc());
    }

    @Override
    public Seen read(DataInput in) throws IOException {
        int worker = in.readInt();
        int block = in.readInt();
        long round = in.readLong();
        byte[] checksum = new byte[in.readInt()];
        in.readFully(checksum);
        return new Seen(worker, block, round, checksum, in.readLong());
    }
}

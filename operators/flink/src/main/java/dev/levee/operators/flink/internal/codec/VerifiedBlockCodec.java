package dev.levee.operators.flink.internal.codec;

import dev.levee.operators.flink.internal.records.VerifiedBlock;
import dev.levee.operators.rounds.codec.Codec;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** What a gate remembers. */
final class VerifiedBlockCodec implements Codec<VerifiedBlock> {
    @Override
    public void write(VerifiedBlock seen, DataOutput out) throws IOException {
        out.writeInt(seen.worker());
        out.writeInt(seen.block());
        out.writeLong(seen.round());
        out.writeInt(seen.checksum().length);
        out.write(seen.checksum());
        out.writeLong(seen.crc());
    }

    @Override
    public VerifiedBlock read(DataInput in) throws IOException {
        int worker = in.readInt();
        int block = in.readInt();
        long round = in.readLong();
        byte[] checksum = new byte[in.readInt()];
        in.readFully(checksum);
        return new VerifiedBlock(worker, block, round, checksum, in.readLong());
    }
}

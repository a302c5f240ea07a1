package dev.levee.operators.internal.codec;

import dev.levee.operators.internal.kafka.Seen;

import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** What a gate remembers. */
final class SeenCodec implements Codec<Seen> {
    @Override
    public void write(Seen seen, DataOutputView out) throws IOException {
        out.writeInt(seen.worker());
        out.writeInt(seen.block());
        out.writeLong(seen.round());
        out.writeInt(seen.checksum().length);
        out.write(seen.checksum());
        out.writeLong(seen.crc());
    }

    @Override
    public Seen read(DataInputView in) throws IOException {
        int worker = in.readInt();
        int block = in.readInt();
        long round = in.readLong();
        byte[] checksum = new byte[in.readInt()];
        in.readFully(checksum);
        return new Seen(worker, block, round, checksum, in.readLong());
    }
}

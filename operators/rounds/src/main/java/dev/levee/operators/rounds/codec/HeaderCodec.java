package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.Header;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Headers, field by field. */
final class HeaderCodec implements Codec<Header> {
    static final HeaderCodec INSTANCE = new HeaderCodec();

    @Override
    public void write(Header header, DataOutput out) throws IOException {
        out.writeLong(header.run());
        out.writeLong(header.round());
        out.writeInt(header.phase());
        out.writeInt(header.sender());
        out.writeInt(header.receiver());
        out.writeInt(header.block());
        out.writeLong(header.baseVersion());
        out.writeInt(header.encoding());
    }

    @Override
    public Header read(DataInput in) throws IOException {
        return new Header(
                in.readLong(),
                in.readLong(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readLong(),
                in.readInt());
    }
}

package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.GradientBlock;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Gradient blocks. */
final class GradientCodec implements Codec<GradientBlock> {
    static final GradientCodec INSTANCE = new GradientCodec();

    @Override
    public void write(GradientBlock gradient, DataOutput out) throws IOException {
        HeaderCodec.INSTANCE.write(gradient.header(), out);
        out.writeDouble(gradient.weight());
        out.writeDouble(gradient.loss());
        out.writeLong(gradient.modelAt());
        out.writeLong(gradient.computedAt());
        ArrayCodec.writeFloats(gradient.array(), gradient.from(), gradient.length(), out);
    }

    @Override
    public GradientBlock read(DataInput in) throws IOException {
        return new GradientBlock(
                HeaderCodec.INSTANCE.read(in),
                in.readDouble(),
                in.readDouble(),
                in.readLong(),
                in.readLong(),
                ArrayCodec.readFloats(in));
    }
}

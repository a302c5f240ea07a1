package dev.levee.operators.internal.codec;

import dev.levee.operators.rounds.GradientBlock;

import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Gradient blocks. */
final class GradientCodec implements Codec<GradientBlock> {
    static final GradientCodec INSTANCE = new GradientCodec();

    @Override
    public void write(GradientBlock gradient, DataOutputView out) throws IOException {
        HeaderCodec.INSTANCE.write(gradient.header(), out);
        out.writeDouble(gradient.loss());
        out.writeLong(gradient.modelAt());
        out.writeLong(gradient.computedAt());
        Arrays.writeFloats(gradient.values(), out);
    }

    @Override
    public GradientBlock read(DataInputView in) throws IOException {
        return new GradientBlock(
                HeaderCodec.INSTANCE.read(in),
                in.readDouble(),
                in.readLong(),
                in.readLong(),
                Arrays.readFloats(in));
    }
}

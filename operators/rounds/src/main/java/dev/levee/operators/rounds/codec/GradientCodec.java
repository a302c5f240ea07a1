package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.HalfBatches;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;

/** Gradient blocks. */
final class GradientCodec implements Codec<GradientBlock> {
    /** In version 1 none said anything of halves. */
    static final GradientCodec FIRST = new GradientCodec(false);

    static final GradientCodec INSTANCE = new GradientCodec(true);

    static final RecordFormat<GradientBlock> FORMAT =
            new RecordFormat<>("GRADIENT", 2, INSTANCE, Map.of(1, FIRST));

    private final boolean halves;

    private GradientCodec(boolean halves) {
        this.halves = halves;
    }

    @Override
    public void write(GradientBlock gradient, DataOutput out) throws IOException {
        HeaderCodec.INSTANCE.write(gradient.header(), out);
        out.writeDouble(gradient.weight());
        out.writeDouble(gradient.loss());
        out.writeLong(gradient.modelAt());
        out.writeLong(gradient.computedAt());
        ArrayCodec.writeFloats(gradient.array(), gradient.from(), gradient.length(), out);
        if (halves) {
            out.writeBoolean(gradient.halves() != null);
            if (gradient.halves() != null) {
                out.writeDouble(gradient.halves().squaredDistance());
                out.writeDouble(gradient.halves().product());
            }
        }
    }

    @Override
    public GradientBlock read(DataInput in) throws IOException {
        GradientBlock read =
                new GradientBlock(
                        HeaderCodec.INSTANCE.read(in),
                        in.readDouble(),
                        in.readDouble(),
                        in.readLong(),
                        in.readLong(),
                        ArrayCodec.readFloats(in));
        return halves && in.readBoolean()
                ? read.with(new HalfBatches(in.readDouble(), in.readDouble()))
                : read;
    }
}

package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.HalfBatches;
import dev.levee.operators.rounds.PartialSum;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Codec of gradient blocks.
 *
 * @param version 1 had no halves of batches, 2 no sums of several gradients, 3 no carries in them
 */
record GradientCodec(int version) implements Codec<GradientBlock> {
    static final GradientCodec FIRST = new GradientCodec(1);

    static final RecordFormat<GradientBlock> FORMAT =
            new RecordFormat<>("GRADIENT", 1, 4, GradientCodec::new);

    private static final Codec<HalfBatches> HALVES = new RecordCodec<>(HalfBatches.class);

    private static final Codec<PartialSum> PARTIAL = partial(true);
    private static final Codec<PartialSum> WITHOUT_CARRIES = partial(false);

    private static Codec<PartialSum> partial(boolean carries) {
        return new RecordCodec<>(PartialSum.class, FIRST.list(), new SumCodec(carries));
    }

    private Codec<PartialSum> partial() {
        return version >= 4 ? PARTIAL : WITHOUT_CARRIES;
    }

    @Override
    public void write(GradientBlock gradient, DataOutput out) throws IOException {
        Codecs.HEADER.write(gradient.header(), out);
        out.writeDouble(gradient.weight());
        out.writeDouble(gradient.loss());
        out.writeLong(gradient.modelAt());
        out.writeLong(gradient.computedAt());
        ArrayCodec.writeFloats(gradient.array(), gradient.from(), gradient.length(), out);
        if (version >= 2) {
            HALVES.writeNullable(gradient.halves(), out);
        }
        if (version >= 3) {
            partial().writeNullable(gradient.partial(), out);
        }
    }

    @Override
    public GradientBlock read(DataInput in) throws IOException {
        GradientBlock read =
                new GradientBlock(
                        Codecs.HEADER.read(in),
                        in.readDouble(),
                        in.readDouble(),
                        in.readLong(),
                        in.readLong(),
                        ArrayCodec.readFloats(in));
        HalfBatches halves = version >= 2 ? HALVES.readNullable(in) : null;
        PartialSum partial = version >= 3 ? partial().readNullable(in) : null;
        if (partial != null) {
            return GradientBlock.of(partial, read.computedAt());
        }
        return halves == null ? read : read.with(halves);
    }
}

package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.HalfBatches;
import dev.levee.operators.rounds.PartialSum;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Gradient blocks. */
final class GradientCodec implements Codec<GradientBlock> {
    /** Version 1 had no halves of batches. */
    static final GradientCodec FIRST = new GradientCodec(false, false);

    /** Version 2 had no sums of several gradients. */
    static final GradientCodec SECOND = new GradientCodec(true, false);

    static final GradientCodec INSTANCE = new GradientCodec(true, true);

    static final RecordFormat<GradientBlock> FORMAT =
            new RecordFormat<>("GRADIENT", 3, INSTANCE, Map.of(1, FIRST, 2, SECOND));

    private final boolean halves;
    private final boolean partials;

    private GradientCodec(boolean halves, boolean partials) {
        this.halves = halves;
        this.partials = partials;
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
        if (partials) {
            out.writeBoolean(gradient.partial() != null);
            if (gradient.partial() != null) {
                writePartial(gradient.partial(), out);
            }
        }
    }

    private static void writePartial(PartialSum partial, DataOutput out) throws IOException {
        out.writeInt(partial.members().size());
        for (GradientBlock member : partial.members()) {
            FIRST.write(member, out);
        }
        SumCodec.INSTANCE.write(partial.sum(), out);
    }

    private static PartialSum readPartial(DataInput in) throws IOException {
        List<GradientBlock> members = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            members.add(FIRST.read(in));
        }
        return new PartialSum(members, SumCodec.INSTANCE.read(in));
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
        if (halves && in.readBoolean()) {
            read = read.with(new HalfBatches(in.readDouble(), in.readDouble()));
        }
        return partials && in.readBoolean()
                ? GradientBlock.of(readPartial(in), read.computedAt())
                : read;
    }
}

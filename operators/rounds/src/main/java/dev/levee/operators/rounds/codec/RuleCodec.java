package dev.levee.operators.rounds.codec;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;
import dev.levee.gar.Sample;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Codec of messages between rules and shards. */
final class RuleCodec {
    private static final int IDENTITY = 0;
    private static final int SELECTION = 1;
    private static final int MIXTURE = 2;

    static final Codec<LookResult> LOOKED = new RecordCodec<>(LookResult.class);

    static final Codec<RowMap> MAP = Codec.with(RuleCodec::writeMap, RuleCodec::readMap);

    static final Codec<Look> LOOK = Codec.with(RuleCodec::writeLook, RuleCodec::readLook);

    static final KindCodec<Reduction> REDUCTION =
            new KindCodec<Reduction>("unknown reduction", null)
                    .record(0, Reduction.Mean.class)
                    .record(1, Reduction.Median.class)
                    .record(2, Reduction.TrimmedMean.class)
                    .record(3, Reduction.MeanAroundMedian.class)
                    .record(4, Reduction.MeanAroundTrimmedMean.class)
                    .record(5, Reduction.MeanAroundLowerMedian.class);

    static final Codec<Reference> REFERENCE = Names.codec(Reference.values());

    private static final Codec<Sample> SAMPLE = new RecordCodec<>(Sample.class);

    private RuleCodec() {}

    /**
     * Writes a map. A map that only selects rows is written as their indices, and an identity as
     * two numbers.
     */
    private static void writeMap(RowMap map, DataOutput out) throws IOException {
        int[] selected = new int[map.outputs()];
        boolean identity = true;
        boolean selection = true;
        for (int o = 0; o < selected.length && selection; o++) {
            selected[o] = selection(map.weights()[o]);
            identity &= selected[o] == o;
            selection = selected[o] >= 0;
        }
        out.writeByte(!selection ? MIXTURE : identity ? IDENTITY : SELECTION);
        if (!selection) {
            out.writeInt(map.outputs());
            for (double[] weights : map.weights()) {
                ArrayCodec.writeDoubles(weights, out);
            }
        } else {
            out.writeInt(map.points());
            if (identity) {
                out.writeInt(map.outputs());
            } else {
                ArrayCodec.writeInts(selected, out);
            }
        }
    }

    /** The only point with weight 1, or −1 if another point's weight is not +0 to the bit. */
    private static int selection(double[] weights) {
        int found = -1;
        for (int i = 0; i < weights.length; i++) {
            if (weights[i] == 1 && found < 0) {
                found = i;
            } else if (Double.doubleToRawLongBits(weights[i]) != 0) {
                return -1;
            }
        }
        return found;
    }

    private static RowMap readMap(DataInput in) throws IOException {
        int form = in.readByte();
        int count = in.readInt();
        switch (form) {
            case IDENTITY:
                return RowMap.identity(in.readInt(), count);
            case SELECTION:
                return RowMap.select(ArrayCodec.readInts(in), count);
            case MIXTURE:
                double[][] weights = new double[count][];
                for (int o = 0; o < count; o++) {
                    weights[o] = ArrayCodec.readDoubles(in);
                }
                return new RowMap(weights);
            default:
                throw new IOException("unknown form of a row map " + form);
        }
    }

    private static void writeLook(Look look, DataOutput out) throws IOException {
        out.writeBoolean(look.pairs());
        out.writeBoolean(look.distances());
        out.writeBoolean(look.products());
        out.writeBoolean(look.signs());
        REFERENCE.writeAll(look.references(), out);
        SAMPLE.writeNullable(look.sample(), out);
    }

    private static Look readLook(DataInput in) throws IOException {
        return new Look(
                in.readBoolean(),
                in.readBoolean(),
                in.readBoolean(),
                in.readBoolean(),
                REFERENCE.readAll(in),
                SAMPLE.readNullable(in));
    }
}

package dev.levee.operators.rounds.codec;

import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;
import dev.levee.gar.Sample;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Messages between rules and shards. */
final class RuleCodec {
    private static final int IDENTITY = 0;
    private static final int SELECTION = 1;
    private static final int MIXTURE = 2;

    private static final int MEAN = 0;
    private static final int MEDIAN = 1;
    private static final int TRIMMED_MEAN = 2;
    private static final int AROUND_MEDIAN = 3;
    private static final int AROUND_TRIMMED_MEAN = 4;

    static final Codec<Looked> LOOKED =
            Codec.with(
                    (looked, out) -> {
                        out.writeInt(looked.points());
                        ArrayCodec.writeDoubles(looked.squaredDistances(), out);
                        ArrayCodec.writeDoubles(looked.innerProducts(), out);
                        ArrayCodec.writeDoubles(looked.signs(), out);
                    },
                    in ->
                            new Looked(
                                    in.readInt(),
                                    ArrayCodec.readDoubles(in),
                                    ArrayCodec.readDoubles(in),
                                    ArrayCodec.readDoubles(in)));

    static final Codec<Reference> REFERENCE = Names.codec(Reference.values());

    private static final Codec<Sample> SAMPLE =
            Codec.with(
                    (sample, out) -> {
                        out.writeDouble(sample.share());
                        out.writeLong(sample.least());
                        out.writeLong(sample.most());
                        out.writeLong(sample.stream());
                    },
                    in -> new Sample(in.readDouble(), in.readLong(), in.readLong(), in.readLong()));

    private RuleCodec() {}

    /** A map that only selects rows is the rows' numbers; one that takes all, two numbers. */
    static void writeMap(RowMap map, DataOutput out) throws IOException {
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

    /** The one point of weight 1, −1 unless all others are +0 to the bit. */
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

    static RowMap readMap(DataInput in) throws IOException {
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

    static void writeLook(Look look, DataOutput out) throws IOException {
        out.writeBoolean(look.pairs());
        out.writeBoolean(look.distances());
        out.writeBoolean(look.products());
        out.writeBoolean(look.signs());
        REFERENCE.writeAll(look.references(), out);
        SAMPLE.writeNullable(look.sample(), out);
    }

    static Look readLook(DataInput in) throws IOException {
        return new Look(
                in.readBoolean(),
                in.readBoolean(),
                in.readBoolean(),
                in.readBoolean(),
                REFERENCE.readAll(in),
                SAMPLE.readNullable(in));
    }

    static void writeReduction(Reduction reduction, DataOutput out) throws IOException {
        if (reduction instanceof Reduction.Mean) {
            out.writeByte(MEAN);
        } else if (reduction instanceof Reduction.Median median) {
            out.writeByte(MEDIAN);
            out.writeBoolean(median.lower());
        } else if (reduction instanceof Reduction.TrimmedMean trimmed) {
            out.writeByte(TRIMMED_MEAN);
            out.writeInt(trimmed.trim());
        } else if (reduction instanceof Reduction.MeanAroundMedian around) {
            out.writeByte(AROUND_MEDIAN);
            out.writeInt(around.keep());
        } else if (reduction instanceof Reduction.MeanAroundTrimmedMean around) {
            out.writeByte(AROUND_TRIMMED_MEAN);
            out.writeInt(around.trim());
            out.writeInt(around.keep());
        }
    }

    static Reduction readReduction(DataInput in) throws IOException {
        int kind = in.readByte();
        return switch (kind) {
            case MEAN -> new Reduction.Mean();
            case MEDIAN -> new Reduction.Median(in.readBoolean());
            case TRIMMED_MEAN -> new Reduction.TrimmedMean(in.readInt());
            case AROUND_MEDIAN -> new Reduction.MeanAroundMedian(in.readInt());
            case AROUND_TRIMMED_MEAN ->
                    new Reduction.MeanAroundTrimmedMean(in.readInt(), in.readInt());
            default -> throw new IOException("unknown reduction " + kind);
        };
    }
}

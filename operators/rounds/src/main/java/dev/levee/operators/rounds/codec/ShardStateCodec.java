package dev.levee.operators.rounds.codec;

import dev.levee.gar.block.WeightedSum;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.securesum.MaskedSum;
import dev.levee.operators.rounds.shard.CountedContributions;
import dev.levee.operators.rounds.shard.ParameterBlock;
import dev.levee.operators.rounds.shard.PulledVersions;
import dev.levee.operators.rounds.shard.RowSum;
import dev.levee.operators.rounds.shard.RowWindow;
import dev.levee.operators.rounds.shard.ShardState;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;

/**
 * Codec of a shard's state: the block, its moments, the rows of the open round, and pulled
 * versions.
 */
final class ShardStateCodec {
    private static final int NO_SUM = 0;
    private static final int WEIGHTED_SUM = 1;
    private static final int MASKED_SUM = 2;

    static final Codec<CountedContributions> COUNTED =
            new RecordCodec<>(CountedContributions.class);

    private static final Codec<RowSum> SUM =
            Codec.with(ShardStateCodec::writeSum, ShardStateCodec::readSum);

    private ShardStateCodec() {}

    /**
     * The codec of a version.
     *
     * @param version 1 had no pulls, 2 no halves of batches, 3 no sums of several gradients, 4 no
     *     carries in them
     */
    static Codec<ShardState> of(int version) {
        Codec<GradientBlock> gradients = new GradientCodec(Math.max(1, version - 1));
        Codec<RowWindow.State> window =
                new RecordCodec<>(
                        RowWindow.State.class,
                        Codec.with(
                                (all, out) -> writeContributions(all, gradients, out),
                                in -> readContributions(gradients, in)),
                        SUM,
                        gradients.list());
        return new RecordCodec<>(
                ShardState.class,
                new RecordCodec<>(ParameterBlock.class),
                window,
                COUNTED,
                Codec.when(
                        version >= 2,
                        new RecordCodec<>(PulledVersions.Pulled.class).list(),
                        List.of()));
    }

    private static void writeSum(RowSum sum, DataOutput out) throws IOException {
        if (sum == null) {
            out.writeByte(NO_SUM);
        } else if (sum instanceof RowSum.Weighted weighted) {
            out.writeByte(WEIGHTED_SUM);
            writeWeighted(weighted.sum(), out);
        } else if (sum instanceof RowSum.Masked masked) {
            out.writeByte(MASKED_SUM);
            ArrayCodec.writeInts(masked.sum().values(), out);
        }
    }

    private static void writeWeighted(WeightedSum sum, DataOutput out) throws IOException {
        for (long[] digits : sum.digits()) {
            ArrayCodec.writeLongs(digits, out);
        }
        ArrayCodec.writeBytes(sum.top(), out);
        ArrayCodec.DOUBLES.writeNullable(sum.special(), out);
    }

    /** Writes the contributions; places without one take no space. */
    private static void writeContributions(
            GradientBlock[] contributions, Codec<GradientBlock> gradients, DataOutput out)
            throws IOException {
        BitSet there = new BitSet();
        for (int place = 0; place < contributions.length; place++) {
            there.set(place, contributions[place] != null);
        }
        out.writeInt(contributions.length);
        BitsCodec.write(there, out);
        for (int place : there.stream().toArray()) {
            gradients.write(contributions[place], out);
        }
    }

    private static GradientBlock[] readContributions(Codec<GradientBlock> gradients, DataInput in)
            throws IOException {
        GradientBlock[] contributions = new GradientBlock[in.readInt()];
        for (int place : BitsCodec.read(in).stream().toArray()) {
            contributions[place] = gradients.read(in);
        }
        return contributions;
    }

    private static RowSum readSum(DataInput in) throws IOException {
        int kind = in.readByte();
        return switch (kind) {
            case NO_SUM -> null;
            case WEIGHTED_SUM -> new RowSum.Weighted(readWeighted(in));
            case MASKED_SUM -> new RowSum.Masked(MaskedSum.of(ArrayCodec.readInts(in)));
            default -> throw new IOException("unknown sum of rows " + kind);
        };
    }

    private static WeightedSum readWeighted(DataInput in) throws IOException {
        long[][] digits = new long[3][];
        for (int i = 0; i < digits.length; i++) {
            digits[i] = ArrayCodec.readLongs(in);
        }
        byte[] top = ArrayCodec.readBytes(in);
        return WeightedSum.of(digits, top, ArrayCodec.DOUBLES.readNullable(in));
    }
}

package dev.levee.operators.rounds.codec;

import dev.levee.gar.WeightedSum;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.securesum.MaskedSum;
import dev.levee.operators.rounds.shard.Counted;
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
 * A shard's state: the block, its moments, the rows of the open round, and pulled versions.
 *
 * @param version 1 had no pulls, 2 no halves of batches, 3 no sums of several gradients
 */
record ShardStateCodec(int version) implements Codec<ShardState> {
    static final RecordFormat<ShardState> FORMAT =
            new RecordFormat<>("SHARD", 1, 4, ShardStateCodec::new);

    private static final int NO_SUM = 0;
    private static final int WEIGHTED_SUM = 1;
    private static final int MASKED_SUM = 2;

    private static final Codec<PulledVersions.Pulled> PULLED =
            Codec.with(
                    (pulled, out) -> {
                        out.writeLong(pulled.version());
                        SettingsCodec.INSTANCE.write(pulled.settings(), out);
                        ArrayCodec.writeFloats(pulled.values(), out);
                        ArrayCodec.writeInts(pulled.missing(), out);
                    },
                    in ->
                            new PulledVersions.Pulled(
                                    in.readLong(),
                                    SettingsCodec.INSTANCE.read(in),
                                    ArrayCodec.readFloats(in),
                                    ArrayCodec.readInts(in)));

    private Codec<GradientBlock> gradients() {
        return new GradientCodec(Math.max(1, version - 1));
    }

    @Override
    public void write(ShardState state, DataOutput out) throws IOException {
        out.writeLong(state.version());
        SettingsCodec.INSTANCE.write(state.settings(), out);
        ArrayCodec.writeFloats(state.block().values(), out);
        ArrayCodec.writeRows(state.block().moments(), out);
        ArrayCodec.writeFloats(state.block().previous(), out);
        writeWindow(state.window(), out);
        out.writeInt(state.phase());
        writeCounted(state.counted(), out);
        if (version >= 2) {
            PULLED.writeAll(state.pulled(), out);
        }
    }

    static void writeCounted(Counted counted, DataOutput out) throws IOException {
        out.writeLong(counted.floor());
        ArrayCodec.writeInts(counted.workers(), out);
        ArrayCodec.writeLongs(counted.bases(), out);
    }

    static Counted readCounted(DataInput in) throws IOException {
        return new Counted(in.readLong(), ArrayCodec.readInts(in), ArrayCodec.readLongs(in));
    }

    private void writeWindow(RowWindow.State window, DataOutput out) throws IOException {
        writeContributions(window.contributions(), out);
        BitsCodec.write(window.refused(), out);
        BitsCodec.write(window.summed(), out);
        writeSum(window.sum(), out);
        gradients().writeAll(window.waiting(), out);
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
    private void writeContributions(GradientBlock[] contributions, DataOutput out)
            throws IOException {
        BitSet there = new BitSet();
        for (int place = 0; place < contributions.length; place++) {
            there.set(place, contributions[place] != null);
        }
        out.writeInt(contributions.length);
        BitsCodec.write(there, out);
        for (int place : there.stream().toArray()) {
            gradients().write(contributions[place], out);
        }
    }

    private GradientBlock[] readContributions(DataInput in) throws IOException {
        GradientBlock[] contributions = new GradientBlock[in.readInt()];
        for (int place : BitsCodec.read(in).stream().toArray()) {
            contributions[place] = gradients().read(in);
        }
        return contributions;
    }

    @Override
    public ShardState read(DataInput in) throws IOException {
        return new ShardState(
                in.readLong(),
                SettingsCodec.INSTANCE.read(in),
                new ParameterBlock(
                        ArrayCodec.readFloats(in),
                        ArrayCodec.readRows(in),
                        ArrayCodec.readFloats(in)),
                readWindow(in),
                in.readInt(),
                readCounted(in),
                version >= 2 ? PULLED.readAll(in) : List.of());
    }

    private RowWindow.State readWindow(DataInput in) throws IOException {
        return new RowWindow.State(
                readContributions(in),
                BitsCodec.read(in),
                BitsCodec.read(in),
                readSum(in),
                gradients().readAll(in));
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

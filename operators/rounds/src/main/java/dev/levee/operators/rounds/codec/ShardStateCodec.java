package dev.levee.operators.rounds.codec;

import dev.levee.gar.WeightedSum;
import dev.levee.operators.rounds.ParameterBlock;
import dev.levee.operators.rounds.RowWindow;
import dev.levee.operators.rounds.ShardState;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** A shard's state: the block, its moments, and the rows of the open round. */
final class ShardStateCodec implements Codec<ShardState> {
    @Override
    public void write(ShardState state, DataOutput out) throws IOException {
        out.writeLong(state.version());
        SettingsCodec.INSTANCE.write(state.settings(), out);
        ArrayCodec.writeFloats(state.block().values(), out);
        ArrayCodec.writeRows(state.block().moments(), out);
        ArrayCodec.writeFloats(state.block().previous(), out);
        writeWindow(state.window(), out);
        out.writeInt(state.phase());
        ArrayCodec.writeInts(state.lastRows(), out);
    }

    private static void writeWindow(RowWindow.State window, DataOutput out) throws IOException {
        ArrayCodec.writeRows(window.rows(), out);
        ArrayCodec.writeDoubles(window.weights(), out);
        BitsCodec.write(window.refused(), out);
        BitsCodec.write(window.summed(), out);
        out.writeBoolean(window.sum() != null);
        if (window.sum() != null) {
            for (long[] digits : window.sum().digits()) {
                ArrayCodec.writeLongs(digits, out);
            }
            ArrayCodec.writeBytes(window.sum().top(), out);
            out.writeBoolean(window.sum().special() != null);
            if (window.sum().special() != null) {
                ArrayCodec.writeDoubles(window.sum().special(), out);
            }
        }
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
                ArrayCodec.readInts(in));
    }

    private static RowWindow.State readWindow(DataInput in) throws IOException {
        return new RowWindow.State(
                ArrayCodec.readRows(in),
                ArrayCodec.readDoubles(in),
                BitsCodec.read(in),
                BitsCodec.read(in),
                in.readBoolean() ? readSum(in) : null);
    }

    private static WeightedSum readSum(DataInput in) throws IOException {
        long[][] digits = new long[3][];
        for (int i = 0; i < digits.length; i++) {
            digits[i] = ArrayCodec.readLongs(in);
        }
        byte[] top = ArrayCodec.readBytes(in);
        return WeightedSum.of(digits, top, in.readBoolean() ? ArrayCodec.readDoubles(in) : null);
    }
}

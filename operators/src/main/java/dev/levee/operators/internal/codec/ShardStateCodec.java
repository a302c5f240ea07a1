package dev.levee.operators.internal.codec;

import dev.levee.operators.rounds.ShardState;

import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** A shard's state: the block, its moments, and the rows of the open round. */
final class ShardStateCodec implements Codec<ShardState> {
    @Override
    public void write(ShardState state, DataOutputView out) throws IOException {
        out.writeLong(state.version());
        SettingsCodec.INSTANCE.write(state.settings(), out);
        Arrays.writeFloats(state.values(), out);
        Arrays.writeRows(state.moments(), out);
        Arrays.writeFloats(state.previous(), out);
        Arrays.writeRows(state.rows(), out);
        out.writeInt(state.refused().length);
        for (boolean refused : state.refused()) {
            out.writeBoolean(refused);
        }
        out.writeInt(state.phase());
        Arrays.writeInts(state.lastRows(), out);
    }

    @Override
    public ShardState read(DataInputView in) throws IOException {
        return new ShardState(
                in.readLong(),
                SettingsCodec.INSTANCE.read(in),
                Arrays.readFloats(in),
                Arrays.readRows(in),
                Arrays.readFloats(in),
                Arrays.readRows(in),
                readRefused(in),
                in.readInt(),
                Arrays.readInts(in));
    }

    private static boolean[] readRefused(DataInputView in) throws IOException {
        boolean[] refused = new boolean[in.readInt()];
        for (int i = 0; i < refused.length; i++) {
            refused[i] = in.readBoolean();
        }
        return refused;
    }
}

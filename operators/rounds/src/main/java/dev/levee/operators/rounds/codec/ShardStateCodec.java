package dev.levee.operators.rounds.codec;

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
        ArrayCodec.writeFloats(state.values(), out);
        ArrayCodec.writeRows(state.moments(), out);
        ArrayCodec.writeFloats(state.previous(), out);
        ArrayCodec.writeRows(state.rows(), out);
        out.writeInt(state.refused().length);
        for (boolean refused : state.refused()) {
            out.writeBoolean(refused);
        }
        out.writeInt(state.phase());
        ArrayCodec.writeInts(state.lastRows(), out);
    }

    @Override
    public ShardState read(DataInput in) throws IOException {
        return new ShardState(
                in.readLong(),
                SettingsCodec.INSTANCE.read(in),
                ArrayCodec.readFloats(in),
                ArrayCodec.readRows(in),
                ArrayCodec.readFloats(in),
                ArrayCodec.readRows(in),
                readRefused(in),
                in.readInt(),
                ArrayCodec.readInts(in));
    }

    private static boolean[] readRefused(DataInput in) throws IOException {
        boolean[] refused = new boolean[in.readInt()];
        for (int i = 0; i < refused.length; i++) {
            refused[i] = in.readBoolean();
        }
        return refused;
    }
}

package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.participant.WorkerState;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A participant's state.
 *
 * @param version in 1 no participant had a loop of its own that kept anything
 */
record WorkerStateCodec(int version) implements Codec<WorkerState> {
    @Override
    public void write(WorkerState state, DataOutput out) throws IOException {
        out.writeLong(state.answered());
        out.writeLong(state.consumed());
        Codec.writeMap(state.vectors(), Codec.TEXT, ArrayCodec.FLOATS, out);
        if (version >= 2) {
            ArrayCodec.writeBytes(state.own(), out);
        }
    }

    @Override
    public WorkerState read(DataInput in) throws IOException {
        return new WorkerState(
                in.readLong(),
                in.readLong(),
                Codec.readMap(Codec.TEXT, ArrayCodec.FLOATS, in),
                version >= 2 ? ArrayCodec.readBytes(in) : new byte[0]);
    }
}

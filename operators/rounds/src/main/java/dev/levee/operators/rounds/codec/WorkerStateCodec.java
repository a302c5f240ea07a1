package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.WorkerState;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** A worker's state. */
final class WorkerStateCodec implements Codec<WorkerState> {
    @Override
    public void write(WorkerState state, DataOutput out) throws IOException {
        out.writeLong(state.answered());
        out.writeLong(state.consumed());
        ArrayCodec.writeFloats(state.momentum(), out);
    }

    @Override
    public WorkerState read(DataInput in) throws IOException {
        return new WorkerState(in.readLong(), in.readLong(), ArrayCodec.readFloats(in));
    }
}

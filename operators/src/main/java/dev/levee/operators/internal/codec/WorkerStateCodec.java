package dev.levee.operators.internal.codec;

import dev.levee.operators.rounds.WorkerState;

import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** A worker's state. */
final class WorkerStateCodec implements Codec<WorkerState> {
    @Override
    public void write(WorkerState state, DataOutputView out) throws IOException {
        out.writeLong(state.answered());
        out.writeLong(state.consumed());
        Arrays.writeFloats(state.momentum(), out);
    }

    @Override
    public WorkerState read(DataInputView in) throws IOException {
        return new WorkerState(in.readLong(), in.readLong(), Arrays.readFloats(in));
    }
}

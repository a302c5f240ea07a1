package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.participant.WorkerState;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** A participant's state. In version 1 no participant had a loop of its own that kept anything. */
final class WorkerStateCodec implements Codec<WorkerState> {
    private final boolean own;

    /**
     * A codec.
     *
     * @param own true if what a loop of the participant's own keeps is written
     */
    WorkerStateCodec(boolean own) {
        this.own = own;
    }

    @Override
    public void write(WorkerState state, DataOutput out) throws IOException {
        out.writeLong(state.answered());
        out.writeLong(state.consumed());
        out.writeInt(state.vectors().size());
        for (Map.Entry<String, float[]> vector : state.vectors().entrySet()) {
            out.writeUTF(vector.getKey());
            ArrayCodec.writeFloats(vector.getValue(), out);
        }
        if (own) {
            ArrayCodec.writeBytes(state.own(), out);
        }
    }

    @Override
    public WorkerState read(DataInput in) throws IOException {
        long answered = in.readLong();
        long consumed = in.readLong();
        Map<String, float[]> vectors = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            vectors.put(in.readUTF(), ArrayCodec.readFloats(in));
        }
        byte[] kept = own ? ArrayCodec.readBytes(in) : new byte[0];
        return new WorkerState(answered, consumed, vectors, kept);
    }
}

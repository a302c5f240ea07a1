package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.pipeline.StageState;
import dev.levee.operators.rounds.pipeline.StageState.Sent;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** The state of a stage of a pipeline. */
final class StageStateCodec implements Codec<StageState> {
    @Override
    public void write(StageState state, DataOutput out) throws IOException {
        write(state.before(), out);
        write(state.newest(), out);
    }

    private static void write(Sent sent, DataOutput out) throws IOException {
        out.writeBoolean(sent != null);
        if (sent != null) {
            out.writeLong(sent.round());
            ArrayCodec.writeFloats(sent.values(), out);
        }
    }

    @Override
    public StageState read(DataInput in) throws IOException {
        return new StageState(readSent(in), readSent(in));
    }

    private static Sent readSent(DataInput in) throws IOException {
        return in.readBoolean() ? new Sent(in.readLong(), ArrayCodec.readFloats(in)) : null;
    }
}

package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.AdversaryState;
import dev.levee.operators.rounds.GradientBlock;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** The adversary's state. */
final class AdversaryStateCodec implements Codec<AdversaryState> {
    @Override
    public void write(AdversaryState state, DataOutput out) throws IOException {
        out.writeLong(state.round());
        ArrayCodec.writeRows(state.honest(), out);
        out.writeInt(state.waiting().length);
        for (GradientBlock waiting : state.waiting()) {
            out.writeBoolean(waiting != null);
            if (waiting != null) {
                GradientCodec.INSTANCE.write(waiting, out);
            }
        }
    }

    @Override
    public AdversaryState read(DataInput in) throws IOException {
        long round = in.readLong();
        float[][] honest = ArrayCodec.readRows(in);
        GradientBlock[] waiting = new GradientBlock[in.readInt()];
        for (int i = 0; i < waiting.length; i++) {
            waiting[i] = in.readBoolean() ? GradientCodec.INSTANCE.read(in) : null;
        }
        return new AdversaryState(round, honest, waiting);
    }
}

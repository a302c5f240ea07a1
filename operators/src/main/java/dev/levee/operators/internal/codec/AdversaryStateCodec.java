package dev.levee.operators.internal.codec;

import dev.levee.operators.rounds.AdversaryState;
import dev.levee.operators.rounds.GradientBlock;

import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** The adversary's state. */
final class AdversaryStateCodec implements Codec<AdversaryState> {
    @Override
    public void write(AdversaryState state, DataOutputView out) throws IOException {
        out.writeLong(state.round());
        Arrays.writeRows(state.honest(), out);
        out.writeInt(state.waiting().length);
        for (GradientBlock waiting : state.waiting()) {
            out.writeBoolean(waiting != null);
            if (waiting != null) {
                GradientCodec.INSTANCE.write(waiting, out);
            }
        }
    }

    @Override
    public AdversaryState read(DataInputView in) throws IOException {
        long round = in.readLong();
        float[][] honest = Arrays.readRows(in);
        GradientBlock[] waiting = new GradientBlock[in.readInt()];
        for (int i = 0; i < waiting.length; i++) {
            waiting[i] = in.readBoolean() ? GradientCodec.INSTANCE.read(in) : null;
        }
        return new AdversaryState(round, honest, waiting);
    }
}

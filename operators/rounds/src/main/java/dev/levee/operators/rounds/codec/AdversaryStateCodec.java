package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.adversary.AdversaryState;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Codec of the adversary's state. Rounds with an adversary have several workers, so their gradients
 * have no halves of batches.
 *
 * @param version 1 had one round only
 */
record AdversaryStateCodec(int version) implements Codec<AdversaryState> {
    static final RecordFormat<AdversaryState> FORMAT =
            new RecordFormat<>("ADVERSARY", 1, 2, AdversaryStateCodec::new);

    @Override
    public void write(AdversaryState state, DataOutput out) throws IOException {
        out.writeLong(state.round());
        ArrayCodec.writeRows(state.honest(), out);
        out.writeInt(state.waiting().length);
        for (GradientBlock waiting : state.waiting()) {
            GradientCodec.FIRST.writeNullable(waiting, out);
        }
        if (version >= 2) {
            writeNullable(state.later(), out);
        }
    }

    @Override
    public AdversaryState read(DataInput in) throws IOException {
        long round = in.readLong();
        float[][] honest = ArrayCodec.readRows(in);
        GradientBlock[] waiting = new GradientBlock[in.readInt()];
        for (int i = 0; i < waiting.length; i++) {
            waiting[i] = GradientCodec.FIRST.readNullable(in);
        }
        return new AdversaryState(round, honest, waiting, version >= 2 ? readNullable(in) : null);
    }
}

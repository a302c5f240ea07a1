package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.adversary.AdversaryState;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;

/**
 * The adversary's state. Where there is one, no round has one worker, so no gradient says anything
 * of halves.
 */
final class AdversaryStateCodec implements Codec<AdversaryState> {
    /** Version 1 had one round only. */
    static final RecordFormat<AdversaryState> FORMAT =
            new RecordFormat<>(
                    "ADVERSARY",
                    2,
                    new AdversaryStateCodec(),
                    Map.of(
                            1,
                            new Codec<>() {
                                @Override
                                public void write(AdversaryState state, DataOutput out)
                                        throws IOException {
                                    writeRound(state, out);
                                }

                                @Override
                                public AdversaryState read(DataInput in) throws IOException {
                                    return readRound(in, false);
                                }
                            }));

    private AdversaryStateCodec() {}

    @Override
    public void write(AdversaryState state, DataOutput out) throws IOException {
        writeRound(state, out);
        out.writeBoolean(state.later() != null);
        if (state.later() != null) {
            write(state.later(), out);
        }
    }

    @Override
    public AdversaryState read(DataInput in) throws IOException {
        return readRound(in, true);
    }

    private static void writeRound(AdversaryState state, DataOutput out) throws IOException {
        out.writeLong(state.round());
        ArrayCodec.writeRows(state.honest(), out);
        out.writeInt(state.waiting().length);
        for (GradientBlock waiting : state.waiting()) {
            out.writeBoolean(waiting != null);
            if (waiting != null) {
                GradientCodec.FIRST.write(waiting, out);
            }
        }
    }

    private static AdversaryState readRound(DataInput in, boolean more) throws IOException {
        long round = in.readLong();
        float[][] honest = ArrayCodec.readRows(in);
        GradientBlock[] waiting = new GradientBlock[in.readInt()];
        for (int i = 0; i < waiting.length; i++) {
            waiting[i] = in.readBoolean() ? GradientCodec.FIRST.read(in) : null;
        }
        AdversaryState later = more && in.readBoolean() ? readRound(in, true) : null;
        return new AdversaryState(round, honest, waiting, later);
    }
}

package dev.levee.operators.flink.internal.codec;

import dev.levee.connectors.kafka.job.VersionState;
import dev.levee.operators.flink.internal.records.VersionPart;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.codec.ArrayCodec;
import dev.levee.operators.rounds.codec.Codec;
import dev.levee.operators.rounds.codec.Codecs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Parts of versions that are on their way to be published. */
final class PartCodec implements Codec<VersionPart> {
    private static final Codec<LoopMessage> MODELS = Codecs.LOOP;

    @Override
    public void write(VersionPart part, DataOutput out) throws IOException {
        out.writeBoolean(part instanceof VersionPart.Block);
        if (part instanceof VersionPart.Block block) {
            MODELS.write(block.model(), out);
            ArrayCodec.writeRows(block.moments(), out);
            ArrayCodec.writeFloats(block.previous(), out);
        } else if (part instanceof VersionPart.Memory memory) {
            out.writeInt(memory.server());
            VersionState.FORMAT.write(
                    new VersionState(0, new float[0][], null, memory.memory()), out);
        }
    }

    @Override
    public VersionPart read(DataInput in) throws IOException {
        if (in.readBoolean()) {
            return new VersionPart.Block(
                    (ModelBlock) MODELS.read(in),
                    ArrayCodec.readRows(in),
                    ArrayCodec.readFloats(in));
        }
        return new VersionPart.Memory(in.readInt(), VersionState.FORMAT.read(in).memory());
    }
}

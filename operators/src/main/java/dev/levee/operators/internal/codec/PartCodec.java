package dev.levee.operators.internal.codec;

import dev.levee.operators.internal.kafka.VersionPart;
import dev.levee.operators.kafka.VersionState;
import dev.levee.operators.rounds.ModelBlock;

import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Parts of versions that are on their way to be published. */
final class PartCodec implements Codec<VersionPart> {
    private static final LoopCodec MODELS = new LoopCodec();

    @Override
    public void write(VersionPart part, DataOutputView out) throws IOException {
        out.writeBoolean(part instanceof VersionPart.Block);
        if (part instanceof VersionPart.Block block) {
            MODELS.write(block.model(), out);
            Arrays.writeRows(block.moments(), out);
            Arrays.writeFloats(block.previous(), out);
        } else if (part instanceof VersionPart.Memory memory) {
            byte[] bytes = new VersionState(0, new float[0][], null, memory.memory()).bytes();
            out.writeInt(bytes.length);
            out.write(bytes);
        }
    }

    @Override
    public VersionPart read(DataInputView in) throws IOException {
        if (in.readBoolean()) {
            return new VersionPart.Block(
                    (ModelBlock) MODELS.read(in), Arrays.readRows(in), Arrays.readFloats(in));
        }
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return new VersionPart.Memory(VersionState.of(bytes).memory());
    }
}

package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ModelBlock;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Models and instructions. */
final class LoopCodec implements Codec<LoopMessage> {
    @Override
    public void write(LoopMessage message, DataOutput out) throws IOException {
        out.writeBoolean(message instanceof ModelBlock);
        if (message instanceof ModelBlock model) {
            HeaderCodec.INSTANCE.write(model.header(), out);
            SettingsCodec.INSTANCE.write(model.settings(), out);
            ArrayCodec.writeFloats(model.values(), out);
        } else if (message instanceof Instruction instruction) {
            InstructionCodec.INSTANCE.write(instruction, out);
        }
    }

    @Override
    public LoopMessage read(DataInput in) throws IOException {
        if (in.readBoolean()) {
            return new ModelBlock(
                    HeaderCodec.INSTANCE.read(in),
                    SettingsCodec.INSTANCE.read(in),
                    ArrayCodec.readFloats(in));
        }
        return InstructionCodec.INSTANCE.read(in);
    }
}

package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.securesum.SumOutcome;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/** Instructions. */
final class InstructionCodec implements Codec<Instruction> {
    static final InstructionCodec INSTANCE = new InstructionCodec();

    private static final Codec<SumOutcome.Mask> MASK =
            Codec.with(
                    (mask, out) -> {
                        ArrayCodec.writeBytes(mask.key(), out);
                        out.writeBoolean(mask.subtracted());
                    },
                    in -> new SumOutcome.Mask(ArrayCodec.readBytes(in), in.readBoolean()));

    private static final int ADMIT = 0;
    private static final int LOOK_AGAIN = 1;
    private static final int DECIDE = 2;
    private static final int AVERAGE = 3;

    /** As {@link #AVERAGE}, of rows under masks. */
    private static final int UNMASK = 4;

    @Override
    public void write(Instruction instruction, DataOutput out) throws IOException {
        if (instruction instanceof Instruction.Admit admit) {
            start(ADMIT, instruction, out);
            BitsCodec.write(admit.places(), out);
        } else if (instruction instanceof Instruction.LookAgain again) {
            start(LOOK_AGAIN, instruction, out);
            out.writeInt(again.phase());
            ArrayCodec.writeInts(again.rows(), out);
            ArrayCodec.writeLongs(again.bases(), out);
            RuleCodec.writeMap(again.map(), out);
            RuleCodec.writeLook(again.look(), out);
        } else if (instruction instanceof Instruction.Decide decide) {
            start(DECIDE, instruction, out);
            ArrayCodec.writeInts(decide.rows(), out);
            ArrayCodec.writeLongs(decide.bases(), out);
            RuleCodec.writeMap(decide.map(), out);
            RuleCodec.REFERENCE.writeAll(decide.references(), out);
            RuleCodec.writeReduction(decide.reduction(), out);
            SettingsCodec.INSTANCE.write(decide.next(), out);
        } else if (instruction instanceof Instruction.Average average) {
            boolean masked = !average.masks().isEmpty();
            start(masked ? UNMASK : AVERAGE, instruction, out);
            ArrayCodec.writeInts(average.rows(), out);
            ArrayCodec.writeLongs(average.bases(), out);
            if (masked) {
                MASK.writeAll(average.masks(), out);
            }
            SettingsCodec.INSTANCE.write(average.next(), out);
        }
    }

    private static void start(int kind, Instruction instruction, DataOutput out)
            throws IOException {
        out.writeByte(kind);
        out.writeLong(instruction.round());
        out.writeInt(instruction.shard().server());
        out.writeInt(instruction.shard().block());
    }

    @Override
    public Instruction read(DataInput in) throws IOException {
        int kind = in.readByte();
        long round = in.readLong();
        ShardId shard = new ShardId(in.readInt(), in.readInt());
        return switch (kind) {
            case ADMIT -> new Instruction.Admit(round, shard, BitsCodec.read(in));
            case LOOK_AGAIN ->
                    new Instruction.LookAgain(
                            round,
                            shard,
                            in.readInt(),
                            ArrayCodec.readInts(in),
                            ArrayCodec.readLongs(in),
                            RuleCodec.readMap(in),
                            RuleCodec.readLook(in));
            case DECIDE ->
                    new Instruction.Decide(
                            round,
                            shard,
                            ArrayCodec.readInts(in),
                            ArrayCodec.readLongs(in),
                            RuleCodec.readMap(in),
                            RuleCodec.REFERENCE.readAll(in),
                            RuleCodec.readReduction(in),
                            SettingsCodec.INSTANCE.read(in));
            case AVERAGE, UNMASK ->
                    new Instruction.Average(
                            round,
                            shard,
                            ArrayCodec.readInts(in),
                            ArrayCodec.readLongs(in),
                            kind == UNMASK ? MASK.readAll(in) : List.of(),
                            SettingsCodec.INSTANCE.read(in));
            default -> throw new IOException("unknown instruction " + kind);
        };
    }
}

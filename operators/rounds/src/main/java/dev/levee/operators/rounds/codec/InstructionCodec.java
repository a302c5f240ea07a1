package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.securesum.SumOutcome;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Codec of instructions. */
final class InstructionCodec implements KindCodec.Head<Instruction> {
    static final KindCodec<Instruction> INSTANCE =
            new KindCodec<>("unknown instruction", new InstructionCodec())
                    .record(0, Instruction.Admit.class)
                    .record(1, Instruction.LookAgain.class, RuleCodec.MAP, RuleCodec.LOOK)
                    .record(
                            2,
                            Instruction.Decide.class,
                            RuleCodec.MAP,
                            RuleCodec.REFERENCE.list(),
                            RuleCodec.REDUCTION)
                    .record(
                            3,
                            Instruction.Average.class,
                            average -> average.masks().isEmpty(),
                            Map.of(),
                            Codec.absent(List.of()))
                    .record(
                            4,
                            Instruction.Average.class,
                            new RecordCodec<>(SumOutcome.Mask.class).list());

    private InstructionCodec() {}

    @Override
    public void write(Instruction instruction, DataOutput out) throws IOException {
        out.writeLong(instruction.round());
        RecordCodec.SHARD.write(instruction.shard(), out);
    }

    @Override
    public Map<String, Object> read(DataInput in) throws IOException {
        return Map.of("round", in.readLong(), "shard", RecordCodec.SHARD.read(in));
    }

    @Override
    public Set<String> names() {
        return Set.of("round", "shard");
    }
}

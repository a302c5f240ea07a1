package dev.levee.connectors.kafka.job;

import dev.levee.gar.RuleState;
import dev.levee.operators.rounds.codec.ArrayCodec;
import dev.levee.operators.rounds.codec.Codec;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.coordinator.CoordinatorMemory;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.RoundReport;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * States of versions, of runs that count nothing but rounds: no elastic one goes over Kafka. What
 * may be null comes after a boolean that says whether it is there.
 */
final class VersionStateCodec implements Codec<VersionState> {
    private final Codec<RoundReport> rounds;
    private final boolean own;
    private final boolean plans;

    /**
     * A codec.
     *
     * @param rounds how the round before is written
     * @param own true if there may be values beside those that were published
     * @param plans true if a plan may have something to remember
     */
    VersionStateCodec(Codec<RoundReport> rounds, boolean own, boolean plans) {
        this.rounds = rounds;
        this.own = own;
        this.plans = plans;
    }

    @Override
    public void write(VersionState state, DataOutput out) throws IOException {
        out.writeLong(state.submitted());
        ArrayCodec.writeRows(state.moments(), out);
        ArrayCodec.writeFloats(state.previous(), out);
        if (own) {
            ArrayCodec.writeFloats(state.own(), out);
        }
        out.writeBoolean(state.memory() != null);
        if (state.memory() != null) {
            write(state.memory(), out);
        }
    }

    private void write(CoordinatorMemory memory, DataOutput out) throws IOException {
        out.writeLong(memory.version());
        ArrayCodec.writeDoubles(memory.ruleState().values(), out);
        Codecs.COUNTS.write(memory.counts(), out);
        out.writeBoolean(memory.last() != null);
        if (memory.last() != null) {
            rounds.write(memory.last(), out);
        }
        if (plans) {
            ArrayCodec.writeDoubles(memory.plan().values(), out);
        }
    }

    @Override
    public VersionState read(DataInput in) throws IOException {
        return new VersionState(
                in.readLong(),
                ArrayCodec.readRows(in),
                ArrayCodec.readFloats(in),
                own ? ArrayCodec.readFloats(in) : null,
                in.readBoolean() ? readMemory(in) : null);
    }

    private CoordinatorMemory readMemory(DataInput in) throws IOException {
        return new CoordinatorMemory(
                in.readLong(),
                new RuleState(ArrayCodec.readDoubles(in)),
                Codecs.COUNTS.read(in),
                in.readBoolean() ? rounds.read(in) : null,
                plans ? new PlanState(ArrayCodec.readDoubles(in)) : PlanState.NONE);
    }
}

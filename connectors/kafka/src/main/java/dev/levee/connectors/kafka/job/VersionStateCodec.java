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
 * States of versions. Runs over Kafka are never elastic, so rounds are all that they count. A
 * boolean before each nullable part tells whether it is present.
 *
 * @param version in 3, rows of the round before did not say what they answer; in 4 there was one
 *     server, which did not lie; in 5 no plan had anything to remember
 */
record VersionStateCodec(int version) implements Codec<VersionState> {
    private Codec<RoundReport> rounds() {
        return version == 3 ? Codecs.PLAIN_ROUND : Codecs.UNCOUNTED_ROUND;
    }

    @Override
    public void write(VersionState state, DataOutput out) throws IOException {
        out.writeLong(state.submitted());
        ArrayCodec.writeRows(state.moments(), out);
        ArrayCodec.writeFloats(state.previous(), out);
        if (version >= 5) {
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
        Codecs.COUNTS.writeAll(memory.counts(), out);
        rounds().writeNullable(memory.last(), out);
        if (version >= 6) {
            ArrayCodec.writeDoubles(memory.plan().values(), out);
        }
    }

    @Override
    public VersionState read(DataInput in) throws IOException {
        return new VersionState(
                in.readLong(),
                ArrayCodec.readRows(in),
                ArrayCodec.readFloats(in),
                version >= 5 ? ArrayCodec.readFloats(in) : null,
                in.readBoolean() ? readMemory(in) : null);
    }

    private CoordinatorMemory readMemory(DataInput in) throws IOException {
        return new CoordinatorMemory(
                in.readLong(),
                new RuleState(ArrayCodec.readDoubles(in)),
                Codecs.COUNTS.readAll(in),
                rounds().readNullable(in),
                version >= 6 ? new PlanState(ArrayCodec.readDoubles(in)) : PlanState.NONE);
    }
}

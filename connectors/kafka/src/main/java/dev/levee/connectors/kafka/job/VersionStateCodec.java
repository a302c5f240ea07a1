package dev.levee.connectors.kafka.job;

import dev.levee.gar.RuleState;
import dev.levee.operators.rounds.codec.ArrayCodec;
import dev.levee.operators.rounds.codec.Codec;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.codec.RecordCodec;
import dev.levee.operators.rounds.coordinator.CoordinatorMemory;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.RoundReport;

import java.util.Map;

/**
 * States of versions. Runs over Kafka are never elastic, so rounds are all that they count. A
 * boolean before each nullable part tells whether it is present.
 */
final class VersionStateCodec {
    private VersionStateCodec() {}

    /**
     * The codec of a version.
     *
     * @param version in 3, rows of the round before did not say what they answer; in 4 there was
     *     one server, which did not lie; in 5 no plan had anything to remember
     */
    static Codec<VersionState> of(int version) {
        Codec<RoundReport> rounds = version == 3 ? Codecs.PLAIN_ROUND : Codecs.UNCOUNTED_ROUND;
        Codec<CoordinatorMemory> memory =
                new RecordCodec<>(
                        CoordinatorMemory.class,
                        new RecordCodec<>(RuleState.class),
                        Codecs.COUNTS.list(),
                        rounds.nullable(),
                        Codec.when(
                                version >= 6, new RecordCodec<>(PlanState.class), PlanState.NONE));
        return new RecordCodec<>(
                VersionState.class,
                Map.of("own", Codec.when(version >= 5, ArrayCodec.FLOATS, null)),
                memory.nullable());
    }
}

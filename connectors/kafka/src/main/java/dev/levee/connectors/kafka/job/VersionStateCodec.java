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
 * Reads and writes {@link VersionState}. Reports lack the counts of elastic runs, because runs over
 * Kafka are never elastic. A boolean before each nullable part says whether it is present.
 */
final class VersionStateCodec {
    private VersionStateCodec() {}

    /**
     * The codec of a version of the format.
     *
     * @param version version of the format. Version 3 lacks the rounds that rows of a report
     *     answer, versions up to 4 lack {@code own}, and versions up to 5 lack the state of the
     *     plan
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

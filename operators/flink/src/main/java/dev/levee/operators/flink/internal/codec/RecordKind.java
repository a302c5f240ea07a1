package dev.levee.operators.flink.internal.codec;

import dev.levee.connectors.kafka.job.VersionPart;
import dev.levee.connectors.kafka.job.VersionState;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.flink.internal.records.VerifiedBlock;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.StageMessage;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.adversary.AdversaryState;
import dev.levee.operators.rounds.codec.ArrayCodec;
import dev.levee.operators.rounds.codec.Codec;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.codec.KindCodec;
import dev.levee.operators.rounds.codec.RecordCodec;
import dev.levee.operators.rounds.codec.RecordFormat;
import dev.levee.operators.rounds.coordinator.CoordinatorState;
import dev.levee.operators.rounds.participant.WorkerState;
import dev.levee.operators.rounds.pipeline.StageState;
import dev.levee.operators.rounds.report.ReplicaCounts;
import dev.levee.operators.rounds.shard.ReplicaUpdate;
import dev.levee.operators.rounds.shard.ShardState;
import dev.levee.operators.rounds.transfer.OrderedTransfers;

/** The records and states of the loop. */
public enum RecordKind {
    LOOP(LoopMessage.class, Codecs.LOOP),
    STAGE(StageMessage.class, Codecs.STAGE),
    STAGE_STATE(StageState.class, Codecs.STAGE_STATE),
    GRADIENT(GradientBlock.class, Codecs.GRADIENT),
    REPORT(ShardReport.class, Codecs.REPORT),
    EVENT(RunEvent.class, EventCodec.FORMAT),
    SHARD(ShardState.class, Codecs.SHARD),
    WORKER(WorkerState.class, Codecs.WORKER),
    ADVERSARY(AdversaryState.class, Codecs.ADVERSARY),
    PART(
            VersionPart.class,
            new RecordFormat<>(
                    "PART",
                    2,
                    new KindCodec<VersionPart>("unknown part of a version", null)
                            .record(1, VersionPart.Block.class, Codecs.LOOP.only(ModelBlock.class))
                            .record(2, VersionPart.Told.class, Codecs.LOOP.only(SumNotice.class))
                            .record(
                                    0,
                                    VersionPart.Memory.class,
                                    Codec.with(
                                            (memory, out) ->
                                                    VersionState.FORMAT.write(
                                                            new VersionState(
                                                                    0,
                                                                    new float[0][],
                                                                    null,
                                                                    memory),
                                                            out),
                                            in -> VersionState.FORMAT.read(in).memory())))),

    /** Blocks that a gate has verified. */
    VERIFIED(
            VerifiedBlock.class,
            new RecordFormat<>("VERIFIED", 1, new RecordCodec<>(VerifiedBlock.class))),

    /** Records of a topic that the gate has not checked; they are never serialized. */
    RAW(byte[].class, new RecordFormat<>("RAW", 1, ArrayCodec.BYTES)),
    COORDINATOR(CoordinatorState.class, Codecs.COORDINATOR),
    TRANSFERS(OrderedTransfers.State.class, Codecs.TRANSFERS),
    REPLICA_UPDATE(ReplicaUpdate.class, Codecs.REPLICA_UPDATE),
    REPLICA_COUNTS(ReplicaCounts.class, Codecs.REPLICA_COUNTS);

    private final Class<?> type;
    private final RecordFormat<?> format;

    <T> RecordKind(Class<T> type, RecordFormat<T> format) {
        this.type = type;
        this.format = format;
    }

    /** The kind with this name in savepoints, null if there is none. */
    static RecordKind named(String name) {
        for (RecordKind kind : values()) {
            if (kind.format.name().equals(name)) {
                return kind;
            }
        }
        return null;
    }

    Class<?> type() {
        return type;
    }

    @SuppressWarnings("unchecked")
    <T> RecordFormat<T> format() {
        return (RecordFormat<T>) format;
    }

    /** Flink's type information. */
    public <T> RecordType<T> asType(Class<T> expected) {
        if (expected != type) {
            throw new IllegalArgumentException(this + " is not " + expected);
        }
        return new RecordType<>(this);
    }
}

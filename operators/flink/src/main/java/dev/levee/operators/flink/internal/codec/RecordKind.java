package dev.levee.operators.flink.internal.codec;

import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.flink.internal.records.VerifiedBlock;
import dev.levee.operators.flink.internal.records.VersionPart;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.adversary.AdversaryState;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.codec.RecordFormat;
import dev.levee.operators.rounds.coordinator.CoordinatorState;
import dev.levee.operators.rounds.participant.WorkerState;
import dev.levee.operators.rounds.shard.ShardState;

/** The records and states of the loop. */
public enum RecordKind {
    LOOP(LoopMessage.class, Codecs.LOOP),
    GRADIENT(GradientBlock.class, Codecs.GRADIENT),
    REPORT(ShardReport.class, Codecs.REPORT),
    EVENT(RunEvent.class, EventCodec.FORMAT),
    SHARD(ShardState.class, Codecs.SHARD),
    WORKER(WorkerState.class, Codecs.WORKER),
    ADVERSARY(AdversaryState.class, Codecs.ADVERSARY),
    PART(VersionPart.class, new RecordFormat<>("PART", 2, new PartCodec())),
    VERIFIED(VerifiedBlock.class, new RecordFormat<>("VERIFIED", 1, new VerifiedBlockCodec())),
    RAW(byte[].class, new RecordFormat<>("RAW", 1, new RawCodec())),
    COORDINATOR(CoordinatorState.class, Codecs.COORDINATOR);

    private final Class<?> type;
    private final RecordFormat<?> format;

    <T> RecordKind(Class<T> type, RecordFormat<T> format) {
        this.type = type;
        this.format = format;
    }

    /** The kind of that name in savepoints, null if there is none. */
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

    /** Flink's description of the type. */
    public <T> RecordType<T> asType(Class<T> expected) {
        if (expected != type) {
            throw new IllegalArgumentException(this + " is not " + expected);
        }
        return new RecordType<>(this);
    }
}

package dev.levee.operators.flink.internal.codec;

import dev.levee.operators.flink.internal.kafka.Seen;
import dev.levee.operators.flink.internal.kafka.VersionPart;
import dev.levee.operators.flink.internal.runtime.RunEvent;
import dev.levee.operators.rounds.AdversaryState;
import dev.levee.operators.rounds.CoordinatorState;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.ShardState;
import dev.levee.operators.rounds.WorkerState;
import dev.levee.operators.rounds.codec.Codec;
import dev.levee.operators.rounds.codec.Codecs;

/** The records and states of the loop. Names are part of savepoints. */
public enum RecordKind {
    LOOP(LoopMessage.class, Codecs.LOOP),
    GRADIENT(GradientBlock.class, Codecs.GRADIENT),
    REPORT(ShardReport.class, Codecs.REPORT),
    EVENT(RunEvent.class, Codecs.java(RunEvent.class)),
    SHARD(ShardState.class, Codecs.SHARD),
    WORKER(WorkerState.class, Codecs.WORKER),
    ADVERSARY(AdversaryState.class, Codecs.ADVERSARY),
    PART(VersionPart.class, new PartCodec()),
    SEEN(Seen.class, new SeenCodec()),
    RAW(byte[].class, new RawCodec()),
    COORDINATOR(CoordinatorState.class, Codecs.COORDINATOR);

    private final Class<?> type;
    private final Codec<?> codec;

    <T> RecordKind(Class<T> type, Codec<T> codec) {
        this.type = type;
        this.codec = codec;
    }

    Class<?> type() {
        return type;
    }

    @SuppressWarnings("unchecked")
    <T> Codec<T> codec() {
        return (Codec<T>) codec;
    }

    /** Flink's description of the type. */
    public <T> RecordType<T> asType(Class<T> expected) {
        if (expected != type) {
            throw new IllegalArgumentException(this + " is not " + expected);
        }
        return new RecordType<>(this);
    }
}

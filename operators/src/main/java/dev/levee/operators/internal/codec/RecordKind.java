package dev.levee.operators.internal.codec;

import dev.levee.operators.internal.kafka.Seen;
import dev.levee.operators.internal.kafka.VersionPart;
import dev.levee.operators.internal.runtime.RunEvent;
import dev.levee.operators.rounds.AdversaryState;
import dev.levee.operators.rounds.CoordinatorState;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.ShardState;
import dev.levee.operators.rounds.WorkerState;

/** The records and states of the loop. Names are part of savepoints. */
public enum RecordKind {
    LOOP(LoopMessage.class, new LoopCodec()),
    GRADIENT(GradientBlock.class, GradientCodec.INSTANCE),
    REPORT(ShardReport.class, new ReportCodec()),
    EVENT(RunEvent.class, new JavaCodec<>(RunEvent.class)),
    SHARD(ShardState.class, new ShardStateCodec()),
    WORKER(WorkerState.class, new WorkerStateCodec()),
    ADVERSARY(AdversaryState.class, new AdversaryStateCodec()),
    PART(VersionPart.class, new PartCodec()),
    SEEN(Seen.class, new SeenCodec()),
    COORDINATOR(CoordinatorState.class, new JavaCodec<>(CoordinatorState.class));

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

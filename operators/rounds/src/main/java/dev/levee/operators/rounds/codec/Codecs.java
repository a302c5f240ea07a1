package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.AdversaryState;
import dev.levee.operators.rounds.CoordinatorState;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.ShardState;
import dev.levee.operators.rounds.WorkerState;

import java.io.Serializable;

/** How the protocol's records and states are written, whatever engine or file they go to. */
public final class Codecs {
    public static final Codec<Settings> SETTINGS = SettingsCodec.INSTANCE;
    public static final Codec<LoopMessage> LOOP = new LoopCodec();
    public static final Codec<GradientBlock> GRADIENT = GradientCodec.INSTANCE;
    public static final Codec<ShardReport> REPORT = new ReportCodec();
    public static final Codec<ShardState> SHARD = new ShardStateCodec();
    public static final Codec<WorkerState> WORKER = new WorkerStateCodec();
    public static final Codec<AdversaryState> ADVERSARY = new AdversaryStateCodec();
    public static final Codec<CoordinatorState> COORDINATOR =
            new JavaCodec<>(CoordinatorState.class);

    private Codecs() {}

    /** Java serialization, for small records that are written a few times a round or less. */
    public static <T extends Serializable> Codec<T> java(Class<T> type) {
        return new JavaCodec<>(type);
    }
}

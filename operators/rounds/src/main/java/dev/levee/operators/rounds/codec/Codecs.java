package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.Takeover;
import dev.levee.operators.rounds.WorkerCounts;
import dev.levee.operators.rounds.adversary.AdversaryState;
import dev.levee.operators.rounds.coordinator.CoordinatorState;
import dev.levee.operators.rounds.participant.WorkerState;
import dev.levee.operators.rounds.shard.ShardState;
import dev.levee.operators.rounds.training.RoundReport;

import java.util.List;

/**
 * How the protocol's records and states are written, whatever engine, topic or file they go to. A
 * kind whose format changes gets the next version, and a reader of the one before if old savepoints
 * are to be read.
 */
public final class Codecs {
    /** Settings, which need no version: their fields have tags. */
    public static final Codec<Settings> SETTINGS = SettingsCodec.INSTANCE;

    public static final Codec<RoundReport> ROUND = new RoundReportCodec(true, true);

    /** As they were before they said who took part and what rows answer. */
    public static final Codec<RoundReport> COUNTING_ROUND = new RoundReportCodec(true, false);

    /** Of runs that count nothing but rounds. */
    public static final Codec<RoundReport> UNCOUNTED_ROUND = new RoundReportCodec(false, true);

    /** Before it was said what a round counted as, too. */
    public static final Codec<RoundReport> PLAIN_ROUND = new RoundReportCodec(false, false);

    public static final Codec<Takeover> TAKEOVER = new TakeoverCodec();

    public static final Codec<List<WorkerCounts>> COUNTS = new CountsCodec();

    public static final RecordFormat<LoopMessage> LOOP =
            new RecordFormat<>("LOOP", 1, new LoopCodec());
    public static final RecordFormat<GradientBlock> GRADIENT = GradientCodec.FORMAT;
    public static final RecordFormat<ShardReport> REPORT =
            new RecordFormat<>("REPORT", 1, new ReportCodec());
    public static final RecordFormat<ShardState> SHARD = ShardStateCodec.FORMAT;
    public static final RecordFormat<WorkerState> WORKER =
            new RecordFormat<>("WORKER", 1, new WorkerStateCodec());
    public static final RecordFormat<AdversaryState> ADVERSARY = AdversaryStateCodec.FORMAT;
    public static final RecordFormat<CoordinatorState> COORDINATOR = CoordinatorStateCodec.FORMAT;

    private Codecs() {}
}

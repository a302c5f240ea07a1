package dev.levee.operators.rounds.codec;

import dev.levee.learners.Score;
import dev.levee.operators.rounds.CodeFault;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.LocalScore;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Permission;
import dev.levee.operators.rounds.Rejection;
import dev.levee.operators.rounds.ReplicaCounts;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.StageMessage;
import dev.levee.operators.rounds.StandIn;
import dev.levee.operators.rounds.StoodIn;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.SumTree;
import dev.levee.operators.rounds.Takeover;
import dev.levee.operators.rounds.TransferCounts;
import dev.levee.operators.rounds.WorkerCounts;
import dev.levee.operators.rounds.adversary.AdversaryState;
import dev.levee.operators.rounds.coordinator.CoordinatorState;
import dev.levee.operators.rounds.participant.WorkerState;
import dev.levee.operators.rounds.pipeline.StageState;
import dev.levee.operators.rounds.pipeline.StageState.Sent;
import dev.levee.operators.rounds.shard.ReplicaUpdate;
import dev.levee.operators.rounds.shard.ShardState;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.transfer.OrderedTransfers;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Formats of the protocol's records and states, independent of engine, topic or file. A kind whose
 * format changes gets the next version, and a reader of the old version if old savepoints must stay
 * readable.
 */
public final class Codecs {
    /** Settings, which need no version: their fields have tags. */
    public static final Codec<Settings> SETTINGS = SettingsCodec.INSTANCE;

    public static final Codec<RoundReport> ROUND = new RoundReportCodec(true, true);

    /** Round reports before they had participants and the versions that rows answer. */
    public static final Codec<RoundReport> COUNTING_ROUND = new RoundReportCodec(true, false);

    /** Reports of runs that count rounds only. */
    public static final Codec<RoundReport> UNCOUNTED_ROUND = new RoundReportCodec(false, true);

    /** Before it was said what a round counted as, too. */
    public static final Codec<RoundReport> PLAIN_ROUND = new RoundReportCodec(false, false);

    public static final Codec<Takeover> TAKEOVER =
            Codec.with(
                    (takeover, out) -> {
                        out.writeInt(takeover.attempt());
                        out.writeLong(takeover.round());
                        out.writeInt(takeover.from());
                        out.writeInt(takeover.to());
                        out.writeInt(takeover.participants());
                        out.writeInt(takeover.older());
                        out.writeLong(takeover.waitedMicros());
                    },
                    in ->
                            new Takeover(
                                    in.readInt(),
                                    in.readLong(),
                                    in.readInt(),
                                    in.readInt(),
                                    in.readInt(),
                                    in.readInt(),
                                    in.readLong()));

    /** Failures of participants' own code. */
    public static final Codec<CodeFault> CODE_FAULT =
            Codec.with(
                    (fault, out) -> {
                        out.writeLong(fault.round());
                        out.writeUTF(fault.kind());
                        out.writeUTF(fault.message());
                        out.writeUTF(fault.traceback());
                        Codec.writeMap(fault.workers(), Codec.INT, Codec.LONG, out);
                    },
                    in ->
                            new CodeFault(
                                    in.readLong(),
                                    in.readUTF(),
                                    in.readUTF(),
                                    in.readUTF(),
                                    Codec.readMap(Codec.INT, Codec.LONG, in)));

    /** Scores by their keys, empty where there is none. */
    public static final Codec<Score> SCORE =
            Codec.with(
                    (score, out) -> out.writeUTF(score == null ? "" : score.key()),
                    in -> score(in.readUTF()));

    /** Scores of models on a participant's own samples; no name where models have losses only. */
    public static final Codec<LocalScore> LOCAL_SCORE =
            Codec.with(
                    (score, out) -> {
                        out.writeInt(score.participant());
                        out.writeLong(score.round());
                        out.writeInt(score.samples());
                        SCORE.write(score.score(), out);
                        out.writeDouble(score.server());
                        out.writeDouble(score.serverLoss());
                        out.writeDouble(score.own());
                        out.writeDouble(score.ownLoss());
                    },
                    in ->
                            new LocalScore(
                                    in.readInt(),
                                    in.readLong(),
                                    in.readInt(),
                                    SCORE.read(in),
                                    in.readDouble(),
                                    in.readDouble(),
                                    in.readDouble(),
                                    in.readDouble()));

    /** Counts of a worker; of rejections only those that there were. */
    public static final Codec<WorkerCounts> COUNTS = new CountsCodec();

    /** Counts of announced contributions. */
    public static final Codec<TransferCounts> TRANSFER_COUNTS =
            Codec.with(
                    (counts, out) -> {
                        out.writeLong(counts.announced());
                        out.writeLong(counts.deferred());
                        out.writeLong(counts.dropped());
                    },
                    in -> new TransferCounts(in.readLong(), in.readLong(), in.readLong()));

    static final Codec<Header> HEADER =
            Codec.with(
                    (header, out) -> {
                        out.writeLong(header.run());
                        out.writeLong(header.round());
                        out.writeInt(header.phase());
                        out.writeInt(header.sender());
                        out.writeInt(header.receiver());
                        out.writeInt(header.block());
                        out.writeLong(header.baseVersion());
                        out.writeInt(header.encoding());
                    },
                    in ->
                            new Header(
                                    in.readLong(),
                                    in.readLong(),
                                    in.readInt(),
                                    in.readInt(),
                                    in.readInt(),
                                    in.readInt(),
                                    in.readLong(),
                                    in.readInt()));

    static final Codec<ModelBlock> MODEL =
            Codec.with(
                    (model, out) -> {
                        HEADER.write(model.header(), out);
                        SETTINGS.write(model.settings(), out);
                        ArrayCodec.writeFloats(model.array(), model.from(), model.length(), out);
                    },
                    in ->
                            new ModelBlock(
                                    HEADER.read(in), SETTINGS.read(in), ArrayCodec.readFloats(in)));

    private static final Codec<Sent> SENT =
            Codec.with(
                    (sent, out) -> {
                        out.writeLong(sent.round());
                        ArrayCodec.writeFloats(sent.values(), out);
                    },
                    in -> new Sent(in.readLong(), ArrayCodec.readFloats(in)));

    private static final Codec<StoodIn> STOOD_IN =
            Codec.with(
                    (each, out) -> {
                        out.writeLong(each.version());
                        out.writeLong(each.checkpoint());
                        out.writeLong(each.behind());
                        out.writeDouble(each.distance());
                    },
                    in ->
                            new StoodIn(
                                    in.readLong(), in.readLong(), in.readLong(), in.readDouble()));

    public static final RecordFormat<LoopMessage> LOOP =
            new RecordFormat<>("LOOP", 1, new LoopCodec());
    public static final RecordFormat<StageMessage> STAGE =
            new RecordFormat<>("STAGE", 2, StageCodec.INSTANCE);
    public static final RecordFormat<StageState> STAGE_STATE =
            new RecordFormat<>(
                    "STAGE_STATE",
                    1,
                    Codec.with(
                            (state, out) -> {
                                SENT.writeNullable(state.before(), out);
                                SENT.writeNullable(state.newest(), out);
                            },
                            in -> new StageState(SENT.readNullable(in), SENT.readNullable(in))));
    public static final RecordFormat<GradientBlock> GRADIENT = GradientCodec.FORMAT;
    public static final RecordFormat<ShardReport> REPORT =
            new RecordFormat<>("REPORT", 1, new ReportCodec());
    public static final RecordFormat<ShardState> SHARD = ShardStateCodec.FORMAT;
    public static final RecordFormat<WorkerState> WORKER =
            new RecordFormat<>("WORKER", 1, 2, WorkerStateCodec::new);
    public static final RecordFormat<AdversaryState> ADVERSARY = AdversaryStateCodec.FORMAT;
    public static final RecordFormat<CoordinatorState> COORDINATOR = CoordinatorStateCodec.FORMAT;
    public static final RecordFormat<OrderedTransfers.State> TRANSFERS =
            new RecordFormat<>(
                    "TRANSFERS",
                    1,
                    Codec.with(
                            (state, out) -> {
                                TRANSFER_COUNTS.write(state.counts(), out);
                                Codec.writeMap(state.rates(), Codec.TEXT, Codec.DOUBLE, out);
                                REPORT.writeAll(state.held(), out);
                            },
                            in ->
                                    new OrderedTransfers.State(
                                            TRANSFER_COUNTS.read(in),
                                            Codec.readMap(Codec.TEXT, Codec.DOUBLE, in),
                                            REPORT.readAll(in))));

    /** Counts of a replica's updates, and when it took over from the primary. */
    public static final RecordFormat<ReplicaCounts> REPLICA_COUNTS =
            new RecordFormat<>(
                    "REPLICA_COUNTS",
                    1,
                    Codec.with(
                            (counts, out) -> {
                                out.writeLong(counts.updates());
                                out.writeLong(counts.sent());
                                out.writeLong(counts.bytes());
                                out.writeLong(counts.fullBytes());
                                STOOD_IN.writeAll(counts.takeovers(), out);
                            },
                            in ->
                                    new ReplicaCounts(
                                            in.readLong(),
                                            in.readLong(),
                                            in.readLong(),
                                            in.readLong(),
                                            STOOD_IN.readAll(in))));

    public static final RecordFormat<ReplicaUpdate> REPLICA_UPDATE =
            new RecordFormat<>("REPLICA_UPDATE", 1, new ReplicaUpdateCodec());

    private Codecs() {}

    private static Score score(String key) throws IOException {
        return key.isEmpty()
                ? null
                : Arrays.stream(Score.values())
                        .filter(each -> each.key().equals(key))
                        .findFirst()
                        .orElseThrow(() -> new IOException("unknown score " + key));
    }

    /** Messages on the loop edge. */
    private static final class LoopCodec implements Codec<LoopMessage> {
        private static final int INSTRUCTION = 0;
        private static final int MODEL = 1;
        private static final int STAGE_MESSAGE = 2;
        private static final int PERMISSION = 3;
        private static final int STAND_IN = 4;
        private static final int SUM_TREE = 5;
        private static final int SUM_NOTICE = 6;

        @Override
        public void write(LoopMessage message, DataOutput out) throws IOException {
            if (message instanceof ModelBlock model) {
                out.writeByte(MODEL);
                Codecs.MODEL.write(model, out);
            } else if (message instanceof Instruction instruction) {
                out.writeByte(INSTRUCTION);
                InstructionCodec.INSTANCE.write(instruction, out);
            } else if (message instanceof StageMessage stage) {
                out.writeByte(STAGE_MESSAGE);
                StageCodec.INSTANCE.write(stage, out);
            } else if (message instanceof Permission permission) {
                out.writeByte(PERMISSION);
                out.writeInt(permission.server());
                out.writeInt(permission.worker());
                out.writeLong(permission.base());
                out.writeBoolean(permission.send());
            } else if (message instanceof SumNotice notice) {
                out.writeByte(SUM_NOTICE);
                out.writeInt(notice.server());
                out.writeLong(notice.round());
                SumMessageCodec.INSTANCE.write(notice.message(), out);
            } else if (message instanceof SumTree tree) {
                out.writeByte(SUM_TREE);
                out.writeInt(tree.server());
                out.writeLong(tree.from());
                ArrayCodec.writeInts(tree.aggregators(), out);
            } else if (message instanceof StandIn standIn) {
                out.writeByte(STAND_IN);
                StandInCodec.INSTANCE.write(standIn, out);
            }
        }

        @Override
        public LoopMessage read(DataInput in) throws IOException {
            int kind = in.readByte();
            return switch (kind) {
                case MODEL -> Codecs.MODEL.read(in);
                case INSTRUCTION -> InstructionCodec.INSTANCE.read(in);
                case STAGE_MESSAGE -> StageCodec.INSTANCE.read(in);
                case PERMISSION ->
                        new Permission(in.readInt(), in.readInt(), in.readLong(), in.readBoolean());
                case SUM_NOTICE ->
                        new SumNotice(
                                in.readInt(), in.readLong(), SumMessageCodec.INSTANCE.read(in));
                case SUM_TREE -> new SumTree(in.readInt(), in.readLong(), ArrayCodec.readInts(in));
                case STAND_IN -> StandInCodec.INSTANCE.read(in);
                default -> throw new IOException("unknown message over the loop edge: " + kind);
            };
        }
    }

    /** Kinds of rejections by their numbers. */
    private static final class CountsCodec implements Codec<WorkerCounts> {
        @Override
        public void write(WorkerCounts counts, DataOutput out) throws IOException {
            out.writeInt(counts.worker());
            out.writeLong(counts.accepted());
            out.writeLong(counts.selected());
            long[] rejected = counts.rejected();
            out.writeByte((int) Arrays.stream(rejected).filter(each -> each != 0).count());
            for (int reason = 0; reason < rejected.length; reason++) {
                if (rejected[reason] != 0) {
                    out.writeByte(reason);
                    out.writeLong(rejected[reason]);
                }
            }
        }

        @Override
        public WorkerCounts read(DataInput in) throws IOException {
            int worker = in.readInt();
            long accepted = in.readLong();
            long selected = in.readLong();
            long[] rejected = new long[Rejection.values().length];
            for (int kinds = in.readByte(); kinds > 0; kinds--) {
                rejected[Names.of(rejected.length, in.readByte())] = in.readLong();
            }
            return new WorkerCounts(worker, accepted, selected, rejected);
        }
    }
}

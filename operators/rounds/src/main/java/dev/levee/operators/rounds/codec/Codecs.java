package dev.levee.operators.rounds.codec;

import dev.levee.learners.Learner.GpuMemory;
import dev.levee.learners.Score;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Permission;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.StageMessage;
import dev.levee.operators.rounds.StandIn;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.SumTree;
import dev.levee.operators.rounds.adversary.AdversaryState;
import dev.levee.operators.rounds.coordinator.CoordinatorState;
import dev.levee.operators.rounds.fault.CodeFault;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.participant.WorkerState;
import dev.levee.operators.rounds.pipeline.StageState;
import dev.levee.operators.rounds.pipeline.StageState.Sent;
import dev.levee.operators.rounds.report.LocalScore;
import dev.levee.operators.rounds.report.ReplicaCounts;
import dev.levee.operators.rounds.report.ReplicaFailover;
import dev.levee.operators.rounds.report.Takeover;
import dev.levee.operators.rounds.report.TransferCounts;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.shard.ReplicaUpdate;
import dev.levee.operators.rounds.shard.ShardState;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.transfer.OrderedTransfers;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;

/**
 * Lists the formats of the protocol's records and states, independent of engine, topic and file. If
 * the format of a kind changes, it gets a new version; a reader of the old version stays if old
 * savepoints must remain readable.
 */
public final class Codecs {
    /** Codec of settings, which needs no version because fields have tags. */
    public static final Codec<Settings> SETTINGS = SettingsCodec.INSTANCE;

    public static final Codec<RoundReport> ROUND = new RoundReportCodec(true, true);

    /**
     * Codec of round reports from before they had participants and the versions that rows answer.
     */
    public static final Codec<RoundReport> COUNTING_ROUND = new RoundReportCodec(true, false);

    /** Codec of reports without the progress of their round. */
    public static final Codec<RoundReport> UNCOUNTED_ROUND = new RoundReportCodec(false, true);

    /** Codec of reports with neither. */
    public static final Codec<RoundReport> PLAIN_ROUND = new RoundReportCodec(false, false);

    public static final Codec<Takeover> TAKEOVER = new RecordCodec<>(Takeover.class);

    /** Codec of failures of participants' own code. */
    public static final Codec<CodeFault> CODE_FAULT =
            new RecordCodec<>(CodeFault.class, Codec.map(Codec.INT, Codec.LONG));

    /** The memory that a process uses on a GPU. */
    public static final Codec<GpuMemory> GPU_MEMORY = new RecordCodec<>(GpuMemory.class);

    /** Codec of scores by their keys; the key of null is empty. */
    public static final Codec<Score> SCORE =
            Codec.with(
                    (score, out) -> out.writeUTF(score == null ? "" : score.key()),
                    in -> score(in.readUTF()));

    /**
     * Codec of scores on a participant's own samples; the score's name is empty if models have
     * losses only.
     */
    public static final Codec<LocalScore> LOCAL_SCORE = new RecordCodec<>(LocalScore.class, SCORE);

    /** Codec of a worker's counts; only kinds of rejections that occurred are written. */
    public static final Codec<WorkerCounts> COUNTS = new CountsCodec();

    /** Codec of counts of announced contributions. */
    public static final Codec<TransferCounts> TRANSFER_COUNTS =
            new RecordCodec<>(TransferCounts.class);

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

    static final KindCodec<LoopMessage> MESSAGES =
            new KindCodec<LoopMessage>("unknown message over the loop edge:", null)
                    .add(1, ModelBlock.class, MODEL)
                    .add(0, Instruction.class, InstructionCodec.INSTANCE)
                    .add(2, StageMessage.class, StageCodec.INSTANCE)
                    .record(3, Permission.class)
                    .add(4, StandIn.class, StandInCodec.INSTANCE)
                    .record(5, SumTree.class)
                    .record(6, SumNotice.class, SumMessageCodec.INSTANCE);

    public static final RecordFormat<LoopMessage> LOOP = new RecordFormat<>("LOOP", 1, MESSAGES);
    public static final RecordFormat<StageMessage> STAGE =
            new RecordFormat<>("STAGE", 2, StageCodec.INSTANCE);
    public static final RecordFormat<StageState> STAGE_STATE =
            new RecordFormat<>(
                    "STAGE_STATE",
                    1,
                    new RecordCodec<>(
                            StageState.class,
                            new RecordCodec<>(Sent.class).nullable(),
                            new RecordCodec<>(Sent.class).nullable()));
    public static final RecordFormat<GradientBlock> GRADIENT = GradientCodec.FORMAT;
    public static final RecordFormat<ShardReport> REPORT =
            new RecordFormat<>("REPORT", 1, ReportCodec.INSTANCE);
    public static final RecordFormat<ShardState> SHARD =
            new RecordFormat<>("SHARD", 1, 5, ShardStateCodec::of);
    public static final RecordFormat<WorkerState> WORKER =
            new RecordFormat<>("WORKER", 1, 2, Codecs::workers);
    public static final RecordFormat<AdversaryState> ADVERSARY = AdversaryStateCodec.FORMAT;
    public static final RecordFormat<CoordinatorState> COORDINATOR =
            new RecordFormat<>("COORDINATOR", 1, 7, CoordinatorStateCodec::of);
    public static final RecordFormat<OrderedTransfers.State> TRANSFERS =
            new RecordFormat<>(
                    "TRANSFERS",
                    1,
                    new RecordCodec<>(
                            OrderedTransfers.State.class,
                            TRANSFER_COUNTS,
                            Codec.map(Codec.TEXT, Codec.DOUBLE),
                            REPORT.list()));

    /** Format of the counts of a replica's updates and its takeovers from the primary. */
    public static final RecordFormat<ReplicaCounts> REPLICA_COUNTS =
            new RecordFormat<>(
                    "REPLICA_COUNTS",
                    1,
                    new RecordCodec<>(
                            ReplicaCounts.class, new RecordCodec<>(ReplicaFailover.class).list()));

    public static final RecordFormat<ReplicaUpdate> REPLICA_UPDATE =
            new RecordFormat<>(
                    "REPLICA_UPDATE",
                    1,
                    new RecordCodec<>(
                            ReplicaUpdate.class,
                            Map.of("moments", ArrayCodec.ROWS.nullable()),
                            MODEL,
                            REPORT.only(ShardReport.Applied.class)));

    private Codecs() {}

    /** The codec of a version; version 1 had no state kept by participants' own loops. */
    static Codec<WorkerState> workers(int version) {
        return new RecordCodec<>(
                WorkerState.class,
                Map.of("own", Codec.when(version >= 2, ArrayCodec.BYTES, new byte[0])),
                Codec.map(Codec.TEXT, ArrayCodec.FLOATS));
    }

    private static Score score(String key) throws IOException {
        return key.isEmpty()
                ? null
                : Arrays.stream(Score.values())
                        .filter(each -> each.key().equals(key))
                        .findFirst()
                        .orElseThrow(() -> new IOException("unknown score " + key));
    }

    /** Codec of counts of rejections, by their kind's number. */
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

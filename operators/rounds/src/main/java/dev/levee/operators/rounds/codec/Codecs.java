package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.CodeFault;
import dev.levee.operators.rounds.GradientBlock;
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
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.SumTree;
import dev.levee.operators.rounds.Takeover;
import dev.levee.operators.rounds.TransferCounts;
import dev.levee.operators.rounds.WorkerCounts;
import dev.levee.operators.rounds.adversary.AdversaryState;
import dev.levee.operators.rounds.coordinator.CoordinatorState;
import dev.levee.operators.rounds.participant.WorkerState;
import dev.levee.operators.rounds.pipeline.StageState;
import dev.levee.operators.rounds.shard.ReplicaUpdate;
import dev.levee.operators.rounds.shard.ShardState;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.transfer.OrderedTransfers;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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

    public static final Codec<Takeover> TAKEOVER = new TakeoverCodec();

    public static final Codec<CodeFault> CODE_FAULT = new CodeFaultCodec();

    public static final Codec<LocalScore> LOCAL_SCORE = new LocalScoreCodec();

    public static final Codec<List<WorkerCounts>> COUNTS = new CountsCodec();

    public static final Codec<TransferCounts> TRANSFER_COUNTS = new TransferCountsCodec();

    public static final RecordFormat<LoopMessage> LOOP =
            new RecordFormat<>("LOOP", 1, new LoopCodec());
    public static final RecordFormat<StageMessage> STAGE =
            new RecordFormat<>("STAGE", 2, StageCodec.INSTANCE);
    public static final RecordFormat<StageState> STAGE_STATE =
            new RecordFormat<>("STAGE_STATE", 1, new StageStateCodec());
    public static final RecordFormat<GradientBlock> GRADIENT = GradientCodec.FORMAT;
    public static final RecordFormat<ShardReport> REPORT =
            new RecordFormat<>("REPORT", 1, new ReportCodec());
    public static final RecordFormat<ShardState> SHARD = ShardStateCodec.FORMAT;
    public static final RecordFormat<WorkerState> WORKER =
            new RecordFormat<>(
                    "WORKER",
                    2,
                    new WorkerStateCodec(true),
                    Map.of(1, new WorkerStateCodec(false)));
    public static final RecordFormat<AdversaryState> ADVERSARY = AdversaryStateCodec.FORMAT;
    public static final RecordFormat<CoordinatorState> COORDINATOR = CoordinatorStateCodec.FORMAT;
    public static final RecordFormat<OrderedTransfers.State> TRANSFERS =
            new RecordFormat<>("TRANSFERS", 1, new TransfersCodec());
    public static final RecordFormat<ReplicaCounts> REPLICA_COUNTS =
            new RecordFormat<>("REPLICA_COUNTS", 1, new ReplicaCountsCodec());
    public static final RecordFormat<ReplicaUpdate> REPLICA_UPDATE =
            new RecordFormat<>("REPLICA_UPDATE", 1, new ReplicaUpdateCodec());

    private Codecs() {}

    /** Changes of the replica that participants read. */
    private static final class TakeoverCodec implements Codec<Takeover> {
        @Override
        public void write(Takeover takeover, DataOutput out) throws IOException {
            out.writeInt(takeover.attempt());
            out.writeLong(takeover.round());
            out.writeInt(takeover.from());
            out.writeInt(takeover.to());
            out.writeInt(takeover.participants());
            out.writeInt(takeover.older());
            out.writeLong(takeover.waitedMicros());
        }

        @Override
        public Takeover read(DataInput in) throws IOException {
            return new Takeover(
                    in.readInt(),
                    in.readLong(),
                    in.readInt(),
                    in.readInt(),
                    in.readInt(),
                    in.readInt(),
                    in.readLong());
        }
    }

    /** Failures of participants' own code. */
    private static final class CodeFaultCodec implements Codec<CodeFault> {
        @Override
        public void write(CodeFault fault, DataOutput out) throws IOException {
            out.writeLong(fault.round());
            out.writeUTF(fault.kind());
            out.writeUTF(fault.message());
            out.writeUTF(fault.traceback());
            out.writeInt(fault.workers().size());
            for (Map.Entry<Integer, Long> worker : fault.workers().entrySet()) {
                out.writeInt(worker.getKey());
                out.writeLong(worker.getValue());
            }
        }

        @Override
        public CodeFault read(DataInput in) throws IOException {
            long round = in.readLong();
            String kind = in.readUTF();
            String message = in.readUTF();
            String traceback = in.readUTF();
            TreeMap<Integer, Long> workers = new TreeMap<>();
            for (int left = in.readInt(); left > 0; left--) {
                workers.put(in.readInt(), in.readLong());
            }
            return new CodeFault(round, kind, message, traceback, workers);
        }
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
                HeaderCodec.INSTANCE.write(model.header(), out);
                SettingsCodec.INSTANCE.write(model.settings(), out);
                ArrayCodec.writeFloats(model.values(), out);
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
                case MODEL ->
                        new ModelBlock(
                                HeaderCodec.INSTANCE.read(in),
                                SettingsCodec.INSTANCE.read(in),
                                ArrayCodec.readFloats(in));
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

    /** Counts of announced contributions. */
    private static final class TransferCountsCodec implements Codec<TransferCounts> {
        @Override
        public void write(TransferCounts counts, DataOutput out) throws IOException {
            out.writeLong(counts.announced());
            out.writeLong(counts.deferred());
            out.writeLong(counts.dropped());
        }

        @Override
        public TransferCounts read(DataInput in) throws IOException {
            return new TransferCounts(in.readLong(), in.readLong(), in.readLong());
        }
    }

    /** State of transfers: counts, rates by host, and reports held back. */
    private static final class TransfersCodec implements Codec<OrderedTransfers.State> {
        @Override
        public void write(OrderedTransfers.State state, DataOutput out) throws IOException {
            TRANSFER_COUNTS.write(state.counts(), out);
            out.writeInt(state.rates().size());
            for (Map.Entry<String, Double> rate : state.rates().entrySet()) {
                out.writeUTF(rate.getKey());
                out.writeDouble(rate.getValue());
            }
            out.writeInt(state.held().size());
            for (ShardReport report : state.held()) {
                REPORT.write(report, out);
            }
        }

        @Override
        public OrderedTransfers.State read(DataInput in) throws IOException {
            TransferCounts counts = TRANSFER_COUNTS.read(in);
            TreeMap<String, Double> rates = new TreeMap<>();
            for (int left = in.readInt(); left > 0; left--) {
                rates.put(in.readUTF(), in.readDouble());
            }
            List<ShardReport> held = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                held.add(REPORT.read(in));
            }
            return new OrderedTransfers.State(counts, rates, held);
        }
    }

    /** Counts per worker; of rejections only those that there were. */
    private static final class CountsCodec implements Codec<List<WorkerCounts>> {
        @Override
        public void write(List<WorkerCounts> counts, DataOutput out) throws IOException {
            out.writeInt(counts.size());
            for (WorkerCounts each : counts) {
                out.writeInt(each.worker());
                out.writeLong(each.accepted());
                out.writeLong(each.selected());
                int kinds = 0;
                for (long rejected : each.rejected()) {
                    kinds += rejected == 0 ? 0 : 1;
                }
                out.writeByte(kinds);
                for (int reason = 0; reason < each.rejected().length; reason++) {
                    if (each.rejected()[reason] != 0) {
                        out.writeByte(reason);
                        out.writeLong(each.rejected()[reason]);
                    }
                }
            }
        }

        @Override
        public List<WorkerCounts> read(DataInput in) throws IOException {
            int workers = in.readInt();
            List<WorkerCounts> counts = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                int worker = in.readInt();
                long accepted = in.readLong();
                long selected = in.readLong();
                long[] rejected = new long[Rejection.values().length];
                for (int kinds = in.readByte(); kinds > 0; kinds--) {
                    rejected[Names.of(rejected.length, in.readByte())] = in.readLong();
                }
                counts.add(new WorkerCounts(worker, accepted, selected, rejected));
            }
            return counts;
        }
    }
}

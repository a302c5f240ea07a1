package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.GradientCost;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.securesum.SumMessage;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Codec of shards' reports to the coordinator: a few numbers for every row of every block. */
final class ReportCodec implements KindCodec.Head<ShardReport> {
    private static final Rejection[] REASONS = Rejection.values();

    private static final Codec<Rejection> REASON =
            Codec.with(
                    (reason, out) -> out.writeInt(reason.ordinal()), in -> REASONS[in.readInt()]);

    static final KindCodec<ShardReport> INSTANCE =
            new KindCodec<>("unknown report kind", new ReportCodec())
                    .add(
                            0,
                            ShardReport.Arrived.class,
                            ReportCodec::writeArrived,
                            ReportCodec::readArrived)
                    .add(
                            10,
                            ShardReport.Combined.class,
                            ReportCodec::writeCombined,
                            ReportCodec::readCombined)
                    .record(1, ShardReport.Dropped.class, REASON)
                    .record(2, ShardReport.Seen.class, RuleCodec.LOOKED)
                    .record(
                            3,
                            ShardReport.Applied.class,
                            applied -> applied.digest().length == 0,
                            Map.of("digest", Codec.absent(new byte[0])),
                            RuleCodec.LOOKED.nullable())
                    .record(11, ShardReport.Applied.class, RuleCodec.LOOKED.nullable())
                    .record(4, ShardReport.Refused.class, REASON)
                    .record(5, ShardReport.Computed.class, new RecordCodec<>(GradientCost.class))
                    .record(6, ShardReport.Scored.class)
                    .record(7, ShardReport.TakenOver.class, Codecs.TAKEOVER)
                    .record(8, ShardReport.Adopted.class)
                    .record(9, ShardReport.Raised.class, Codecs.CODE_FAULT)
                    .record(12, ShardReport.Announced.class)
                    .record(13, ShardReport.Tested.class, Codecs.LOCAL_SCORE)
                    .record(14, ShardReport.Standing.class, StandInCodec.PLACE)
                    .record(15, ShardReport.Copied.class)
                    .record(16, ShardReport.Placed.class)
                    .record(17, ShardReport.Gathered.class)
                    .record(
                            18,
                            ShardReport.Said.class,
                            SumMessageCodec.INSTANCE.only(SumMessage.FromDevice.class))
                    .record(19, ShardReport.OnGpus.class, Codecs.GPU_MEMORY.list());

    private ReportCodec() {}

    @Override
    public void write(ShardReport report, DataOutput out) throws IOException {
        out.writeLong(report.round());
        RecordCodec.SHARD.write(report.shard(), out);
    }

    @Override
    public Map<String, Object> read(DataInput in) throws IOException {
        long round = in.readLong();
        ShardId shard = RecordCodec.SHARD.read(in);
        return Map.of("round", round, "shard", shard, "server", shard.server());
    }

    @Override
    public Set<String> names() {
        return Set.of("round", "shard", "server");
    }

    /** Avoids reflection, because there is a report for every block of every gradient. */
    private static void writeArrived(ShardReport.Arrived arrived, DataOutput out)
            throws IOException {
        out.writeInt(arrived.worker());
        out.writeLong(arrived.base());
        out.writeDouble(arrived.weight());
        ArrayCodec.writeDoubles(arrived.measured(), out);
        out.writeDouble(arrived.loss());
        out.writeLong(arrived.modelAt());
        out.writeLong(arrived.computedAt());
        out.writeLong(arrived.arrivedAt());
    }

    private static ShardReport.Arrived readArrived(Map<String, ?> head, DataInput in)
            throws IOException {
        return new ShardReport.Arrived(
                (Long) head.get("round"),
                (ShardId) head.get("shard"),
                in.readInt(),
                in.readLong(),
                in.readDouble(),
                ArrayCodec.readDoubles(in),
                in.readDouble(),
                in.readLong(),
                in.readLong(),
                in.readLong());
    }

    private static void writeCombined(ShardReport.Combined combined, DataOutput out)
            throws IOException {
        out.writeLong(combined.sentAt());
        out.writeInt(combined.rows().size());
        for (ShardReport.Arrived arrived : combined.rows()) {
            writeArrived(arrived, out);
        }
    }

    private static ShardReport.Combined readCombined(Map<String, ?> head, DataInput in)
            throws IOException {
        long sentAt = in.readLong();
        List<ShardReport.Arrived> rows = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            rows.add(readArrived(head, in));
        }
        return new ShardReport.Combined(rows, sentAt);
    }
}

package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.GradientCost;
import dev.levee.operators.rounds.Rejection;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.securesum.SumMessage;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reports of shards to the coordinator: a few numbers for every row of every block. */
final class ReportCodec implements Codec<ShardReport> {
    private static final int ARRIVED = 0;
    private static final int DROPPED = 1;
    private static final int SEEN = 2;
    private static final int APPLIED = 3;
    private static final int REFUSED = 4;
    private static final int COMPUTED = 5;
    private static final int SCORED = 6;
    private static final int TAKEN_OVER = 7;
    private static final int ADOPTED = 8;
    private static final int RAISED = 9;
    private static final int COMBINED = 10;

    /** Like {@link #APPLIED}, followed by a digest. */
    private static final int DIGESTED = 11;

    private static final int ANNOUNCED = 12;
    private static final int TESTED = 13;
    private static final int STANDING = 14;
    private static final int COPIED = 15;
    private static final int PLACED = 16;
    private static final int GATHERED = 17;
    private static final int SAID = 18;
    private static final Rejection[] REASONS = Rejection.values();

    @Override
    public void write(ShardReport report, DataOutput out) throws IOException {
        if (report instanceof ShardReport.Arrived arrived) {
            start(ARRIVED, report, out);
            writeArrived(arrived, out);
        } else if (report instanceof ShardReport.Combined combined) {
            start(COMBINED, report, out);
            out.writeLong(combined.sentAt());
            out.writeInt(combined.rows().size());
            for (ShardReport.Arrived arrived : combined.rows()) {
                writeArrived(arrived, out);
            }
        } else if (report instanceof ShardReport.Dropped dropped) {
            start(DROPPED, report, out);
            out.writeInt(dropped.worker());
            out.writeInt(dropped.reason().ordinal());
        } else if (report instanceof ShardReport.Seen seen) {
            start(SEEN, report, out);
            out.writeInt(seen.phase());
            RuleCodec.LOOKED.write(seen.share(), out);
        } else if (report instanceof ShardReport.Applied applied) {
            boolean digested = applied.digest().length > 0;
            start(digested ? DIGESTED : APPLIED, report, out);
            out.writeLong(applied.reduceNanos());
            out.writeLong(applied.updateNanos());
            RuleCodec.LOOKED.writeNullable(applied.spread(), out);
            if (digested) {
                ArrayCodec.writeBytes(applied.digest(), out);
            }
        } else if (report instanceof ShardReport.Refused refused) {
            start(REFUSED, report, out);
            out.writeInt(refused.worker());
            out.writeInt(refused.reason().ordinal());
            out.writeLong(refused.records());
        } else if (report instanceof ShardReport.Computed computed) {
            start(COMPUTED, report, out);
            out.writeInt(computed.worker());
            out.writeInt(computed.effort().samples());
            out.writeLong(computed.effort().nanos());
            out.writeLong(computed.effort().bytes());
        } else if (report instanceof ShardReport.Scored scored) {
            start(SCORED, report, out);
            out.writeInt(scored.worker());
            out.writeDouble(scored.score());
        } else if (report instanceof ShardReport.TakenOver taken) {
            start(TAKEN_OVER, report, out);
            Codecs.TAKEOVER.write(taken.takeover(), out);
        } else if (report instanceof ShardReport.Raised raised) {
            start(RAISED, report, out);
            Codecs.CODE_FAULT.write(raised.fault(), out);
        } else if (report instanceof ShardReport.Announced announced) {
            start(ANNOUNCED, report, out);
            out.writeInt(announced.worker());
            out.writeLong(announced.bytes());
            out.writeDouble(announced.norm());
            out.writeUTF(announced.host());
        } else if (report instanceof ShardReport.Placed placed) {
            start(PLACED, report, out);
            out.writeInt(placed.subtask());
            out.writeInt(placed.subtasks());
            out.writeUTF(placed.process());
        } else if (report instanceof ShardReport.Gathered gathered) {
            start(GATHERED, report, out);
            out.writeInt(gathered.worker());
            out.writeLong(gathered.sentAt());
            out.writeLong(gathered.arrivedAt());
        } else if (report instanceof ShardReport.Tested tested) {
            start(TESTED, report, out);
            Codecs.LOCAL_SCORE.write(tested.score(), out);
        } else if (report instanceof ShardReport.Standing standing) {
            start(STANDING, report, out);
            StandInCodec.writePlace(standing.place(), out);
            out.writeLong(standing.behind());
            out.writeDouble(standing.distance());
        } else if (report instanceof ShardReport.Copied copied) {
            start(COPIED, report, out);
            out.writeLong(copied.bytes());
        } else if (report instanceof ShardReport.Said said) {
            start(SAID, report, out);
            SumMessageCodec.INSTANCE.write(said.message(), out);
        } else if (report instanceof ShardReport.Adopted) {
            start(ADOPTED, report, out);
        }
    }

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

    private static ShardReport.Arrived readArrived(long round, ShardId shard, DataInput in)
            throws IOException {
        return new ShardReport.Arrived(
                round,
                shard,
                in.readInt(),
                in.readLong(),
                in.readDouble(),
                ArrayCodec.readDoubles(in),
                in.readDouble(),
                in.readLong(),
                in.readLong(),
                in.readLong());
    }

    private static ShardReport.Combined readCombined(long round, ShardId shard, DataInput in)
            throws IOException {
        long sentAt = in.readLong();
        List<ShardReport.Arrived> rows = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            rows.add(readArrived(round, shard, in));
        }
        return new ShardReport.Combined(rows, sentAt);
    }

    private static SumMessage.FromDevice fromDevice(DataInput in) throws IOException {
        SumMessage message = SumMessageCodec.INSTANCE.read(in);
        if (message instanceof SumMessage.FromDevice said) {
            return said;
        }
        throw new IOException("no device says " + message.getClass().getSimpleName());
    }

    private static void start(int kind, ShardReport report, DataOutput out) throws IOException {
        out.writeByte(kind);
        out.writeLong(report.round());
        out.writeInt(report.shard().server());
        out.writeInt(report.shard().block());
    }

    @Override
    public ShardReport read(DataInput in) throws IOException {
        int kind = in.readByte();
        long round = in.readLong();
        ShardId shard = new ShardId(in.readInt(), in.readInt());
        return switch (kind) {
            case ARRIVED -> readArrived(round, shard, in);
            case COMBINED -> readCombined(round, shard, in);
            case DROPPED ->
                    new ShardReport.Dropped(round, shard, in.readInt(), REASONS[in.readInt()]);
            case SEEN ->
                    new ShardReport.Seen(round, shard, in.readInt(), RuleCodec.LOOKED.read(in));
            case APPLIED, DIGESTED ->
                    new ShardReport.Applied(
                            round,
                            shard,
                            in.readLong(),
                            in.readLong(),
                            RuleCodec.LOOKED.readNullable(in),
                            kind == DIGESTED ? ArrayCodec.readBytes(in) : new byte[0]);
            case REFUSED ->
                    new ShardReport.Refused(
                            shard.server(), in.readInt(), REASONS[in.readInt()], in.readLong());
            case COMPUTED ->
                    new ShardReport.Computed(
                            round,
                            shard.server(),
                            in.readInt(),
                            new GradientCost(in.readInt(), in.readLong(), in.readLong()));
            case SCORED ->
                    new ShardReport.Scored(round, shard.server(), in.readInt(), in.readDouble());
            case TAKEN_OVER -> new ShardReport.TakenOver(Codecs.TAKEOVER.read(in));
            case RAISED -> new ShardReport.Raised(shard.server(), Codecs.CODE_FAULT.read(in));
            case ANNOUNCED ->
                    new ShardReport.Announced(
                            round,
                            shard.server(),
                            in.readInt(),
                            in.readLong(),
                            in.readDouble(),
                            in.readUTF());
            case PLACED ->
                    new ShardReport.Placed(
                            shard.server(), in.readInt(), in.readInt(), in.readUTF());
            case GATHERED ->
                    new ShardReport.Gathered(
                            round, shard.server(), in.readInt(), in.readLong(), in.readLong());
            case TESTED -> new ShardReport.Tested(shard.server(), Codecs.LOCAL_SCORE.read(in));
            case STANDING ->
                    new ShardReport.Standing(
                            shard.server(),
                            StandInCodec.readPlace(in),
                            in.readLong(),
                            in.readDouble());
            case COPIED -> new ShardReport.Copied(round, shard, in.readLong());
            case SAID -> new ShardReport.Said(round, shard.server(), fromDevice(in));
            case ADOPTED -> new ShardReport.Adopted(round, shard);
            default -> throw new IOException("unknown report kind " + kind);
        };
    }
}

package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.RoundReport;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Codec of a round's report. */
final class RoundReportCodec implements Codec<RoundReport> {
    /** Flags after the other fields; REFUSED means that a reason follows. */
    private static final int OVERTIME = 1;

    private static final int REFUSED = 2;

    private final boolean progress;
    private final boolean whole;

    /**
     * Creates a codec.
     *
     * @param progress true if reports have the progress of their round
     * @param whole true if reports have the number of participants, the number of faults that the
     *     rule tolerated, the versions that rows answer, and whether the round exceeded its
     *     deadline
     */
    RoundReportCodec(boolean progress, boolean whole) {
        this.progress = progress;
        this.whole = whole;
    }

    @Override
    public void write(RoundReport report, DataOutput out) throws IOException {
        out.writeLong(report.round());
        out.writeLong(report.decidedAt());
        out.writeDouble(report.seconds());
        ArrayCodec.writeDoubles(report.secondsByPhase(), out);
        out.writeDouble(report.loss());
        out.writeDouble(report.learningRate());
        out.writeInt(report.batchSize());
        ArrayCodec.writeInts(report.rows(), out);
        ArrayCodec.writeInts(report.selected(), out);
        ArrayCodec.writeInts(report.faults(), out);
        if (whole) {
            out.writeInt(report.workers());
            out.writeInt(report.f());
        }
        if (progress) {
            write(report.progress(), out);
        }
        if (whole) {
            ArrayCodec.writeLongs(report.bases(), out);
            boolean refused = !report.refused().isEmpty();
            out.writeByte((report.overtime() ? OVERTIME : 0) | (refused ? REFUSED : 0));
            if (refused) {
                out.writeUTF(report.refused());
            }
        }
    }

    private static void write(Planner.Progress made, DataOutput out) throws IOException {
        out.writeBoolean(made.counts());
        if (made.counts()) {
            out.writeDouble(made.rounds());
            out.writeDouble(made.gain());
            out.writeDouble(made.noiseScale());
            out.writeDouble(made.averagedRows());
        }
    }

    @Override
    public RoundReport read(DataInput in) throws IOException {
        long round = in.readLong();
        long decidedAt = in.readLong();
        double seconds = in.readDouble();
        double[] secondsByPhase = ArrayCodec.readDoubles(in);
        double loss = in.readDouble();
        double learningRate = in.readDouble();
        int batchSize = in.readInt();
        int[] rows = ArrayCodec.readInts(in);
        int[] selected = ArrayCodec.readInts(in);
        int[] faults = ArrayCodec.readInts(in);
        int workers = whole ? in.readInt() : -1;
        int f = whole ? in.readInt() : -1;
        Planner.Progress made =
                progress && in.readBoolean() ? readProgress(in) : Planner.Progress.NONE;
        long[] bases = whole ? ArrayCodec.readLongs(in) : new long[0];
        int flags = whole ? in.readByte() : 0;
        return new RoundReport(
                round,
                decidedAt,
                seconds,
                secondsByPhase,
                loss,
                learningRate,
                batchSize,
                rows,
                selected,
                faults,
                workers,
                f,
                made,
                bases,
                (flags & OVERTIME) != 0,
                (flags & REFUSED) != 0 ? in.readUTF() : "");
    }

    private static Planner.Progress readProgress(DataInput in) throws IOException {
        return new Planner.Progress(
                in.readDouble(), in.readDouble(), in.readDouble(), in.readDouble());
    }
}

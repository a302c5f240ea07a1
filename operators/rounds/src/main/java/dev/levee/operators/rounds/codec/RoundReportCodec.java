package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.RoundReport;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** The report of a round. */
final class RoundReportCodec implements Codec<RoundReport> {
    private final boolean progress;
    private final boolean whole;

    /**
     * A codec.
     *
     * @param progress true if reports say what their round counted as
     * @param whole true if they say how many took part, how many liars the rule stood, what their
     *     rows answer, and whether the round took longer than its deadline
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
            out.writeBoolean(report.overtime());
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
        return new RoundReport(
                in.readLong(),
                in.readLong(),
                in.readDouble(),
                ArrayCodec.readDoubles(in),
                in.readDouble(),
                in.readDouble(),
                in.readInt(),
                ArrayCodec.readInts(in),
                ArrayCodec.readInts(in),
                ArrayCodec.readInts(in),
                whole ? in.readInt() : -1,
                whole ? in.readInt() : -1,
                progress && in.readBoolean() ? readProgress(in) : Planner.Progress.NONE,
                whole ? ArrayCodec.readLongs(in) : new long[0],
                whole && in.readBoolean());
    }

    private static Planner.Progress readProgress(DataInput in) throws IOException {
        return new Planner.Progress(
                in.readDouble(), in.readDouble(), in.readDouble(), in.readDouble());
    }
}

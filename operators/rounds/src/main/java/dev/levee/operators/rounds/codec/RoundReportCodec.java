package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.Planner;
import dev.levee.operators.rounds.RoundReport;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** What happened in a round. */
final class RoundReportCodec implements Codec<RoundReport> {
    private final boolean progress;
    private final boolean bases;

    /**
     * A codec.
     *
     * @param progress true if reports say what their round counted as
     * @param bases true if they say what their rows answer, and whether the round took longer than
     *     its deadline
     */
    RoundReportCodec(boolean progress, boolean bases) {
        this.progress = progress;
        this.bases = bases;
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
        if (progress) {
            write(report.progress(), out);
        }
        if (bases) {
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
                progress && in.readBoolean() ? readProgress(in) : Planner.Progress.NONE,
                bases ? ArrayCodec.readLongs(in) : new long[0],
                bases && in.readBoolean());
    }

    private static Planner.Progress readProgress(DataInput in) throws IOException {
        return new Planner.Progress(
                in.readDouble(), in.readDouble(), in.readDouble(), in.readDouble());
    }
}

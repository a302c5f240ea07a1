package dev.levee.operators.flink.internal.codec;

import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.rounds.EvaluationReport;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.codec.Codec;
import dev.levee.operators.rounds.codec.Codecs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What the recorder is told, and remembers. */
final class EventCodec implements Codec<RunEvent> {
    private static final int ROUND_DONE = 0;
    private static final int HISTORY = 1;
    private static final int EVALUATED = 2;
    private static final int FINAL_BLOCK = 3;
    private static final int COUNTED = 4;

    @Override
    public void write(RunEvent event, DataOutput out) throws IOException {
        if (event instanceof RunEvent.RoundDone done) {
            out.writeByte(ROUND_DONE);
            Codecs.ROUND.write(done.report(), out);
        } else if (event instanceof RunEvent.History history) {
            out.writeByte(HISTORY);
            out.writeLong(history.stretch());
            out.writeInt(history.rounds().size());
            for (RunEvent.Stretch each : history.rounds()) {
                Codecs.ROUND.write(each.report(), out);
                out.writeLong(each.rounds());
            }
            out.writeInt(history.evaluations().size());
            for (EvaluationReport each : history.evaluations()) {
                writeEvaluation(each, out);
            }
        } else if (event instanceof RunEvent.Evaluated evaluated) {
            out.writeByte(EVALUATED);
            writeEvaluation(evaluated.report(), out);
        } else if (event instanceof RunEvent.FinalBlock last) {
            out.writeByte(FINAL_BLOCK);
            Codecs.LOOP.write(last.block(), out);
        } else if (event instanceof RunEvent.Counted counted) {
            out.writeByte(COUNTED);
            Codecs.COUNTS.write(counted.workers(), out);
        }
    }

    @Override
    public RunEvent read(DataInput in) throws IOException {
        int kind = in.readByte();
        return switch (kind) {
            case ROUND_DONE -> new RunEvent.RoundDone(Codecs.ROUND.read(in));
            case HISTORY -> readHistory(in);
            case EVALUATED -> new RunEvent.Evaluated(readEvaluation(in));
            case FINAL_BLOCK -> new RunEvent.FinalBlock((ModelBlock) Codecs.LOOP.read(in));
            case COUNTED -> new RunEvent.Counted(Codecs.COUNTS.read(in));
            default -> throw new IOException("unknown event " + kind);
        };
    }

    private static RunEvent.History readHistory(DataInput in) throws IOException {
        long stretch = in.readLong();
        List<RunEvent.Stretch> rounds = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            rounds.add(new RunEvent.Stretch(Codecs.ROUND.read(in), in.readLong()));
        }
        List<EvaluationReport> evaluations = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            evaluations.add(readEvaluation(in));
        }
        return new RunEvent.History(stretch, rounds, evaluations);
    }

    private static void writeEvaluation(EvaluationReport report, DataOutput out)
            throws IOException {
        out.writeLong(report.version());
        out.writeLong(report.at());
        out.writeDouble(report.loss());
        out.writeDouble(report.accuracy());
    }

    private static EvaluationReport readEvaluation(DataInput in) throws IOException {
        return new EvaluationReport(in.readLong(), in.readLong(), in.readDouble(), in.readDouble());
    }
}

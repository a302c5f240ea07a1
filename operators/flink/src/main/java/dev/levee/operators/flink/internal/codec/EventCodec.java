package dev.levee.operators.flink.internal.codec;

import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.rounds.EvaluationReport;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.codec.Codec;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.codec.RecordFormat;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the recorder is told, and remembers. */
final class EventCodec implements Codec<RunEvent> {
    /** In version 1 all events were the first server's, and none said so. */
    static final RecordFormat<RunEvent> FIRST =
            new RecordFormat<>("EVENT", 1, new EventCodec(false));

    static final RecordFormat<RunEvent> FORMAT =
            new RecordFormat<>("EVENT", 2, new EventCodec(true), Map.of(1, FIRST));

    private static final int ROUND_DONE = 0;
    private static final int HISTORY = 1;
    private static final int EVALUATED = 2;
    private static final int FINAL_BLOCK = 3;
    private static final int COUNTED = 4;

    private final boolean servers;

    /**
     * A codec.
     *
     * @param servers true if events say which server they are about
     */
    private EventCodec(boolean servers) {
        this.servers = servers;
    }

    @Override
    public void write(RunEvent event, DataOutput out) throws IOException {
        if (event instanceof RunEvent.RoundDone done) {
            writeHead(ROUND_DONE, event, out);
            Codecs.ROUND.write(done.report(), out);
        } else if (event instanceof RunEvent.History history) {
            writeHead(HISTORY, event, out);
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
            writeHead(EVALUATED, event, out);
            writeEvaluation(evaluated.report(), out);
        } else if (event instanceof RunEvent.FinalBlock last) {
            writeHead(FINAL_BLOCK, event, out);
            Codecs.LOOP.write(last.block(), out);
        } else if (event instanceof RunEvent.Counted counted) {
            writeHead(COUNTED, event, out);
            Codecs.COUNTS.write(counted.workers(), out);
        }
    }

    private void writeHead(int kind, RunEvent event, DataOutput out) throws IOException {
        out.writeByte(kind);
        if (servers) {
            out.writeInt(event.server());
        }
    }

    @Override
    public RunEvent read(DataInput in) throws IOException {
        int kind = in.readByte();
        int server = servers ? in.readInt() : 0;
        return switch (kind) {
            case ROUND_DONE -> new RunEvent.RoundDone(server, Codecs.ROUND.read(in));
            case HISTORY -> readHistory(server, in);
            case EVALUATED -> new RunEvent.Evaluated(server, readEvaluation(in));
            case FINAL_BLOCK -> new RunEvent.FinalBlock((ModelBlock) Codecs.LOOP.read(in));
            case COUNTED -> new RunEvent.Counted(server, Codecs.COUNTS.read(in));
            default -> throw new IOException("unknown event " + kind);
        };
    }

    private static RunEvent.History readHistory(int server, DataInput in) throws IOException {
        long stretch = in.readLong();
        List<RunEvent.Stretch> rounds = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            rounds.add(new RunEvent.Stretch(Codecs.ROUND.read(in), in.readLong()));
        }
        List<EvaluationReport> evaluations = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            evaluations.add(readEvaluation(in));
        }
        return new RunEvent.History(server, stretch, rounds, evaluations);
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

package dev.levee.operators.flink.internal.codec;

import dev.levee.learners.Score;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.rounds.EvaluationReport;
import dev.levee.operators.rounds.ExchangeReport;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.RoundTrace;
import dev.levee.operators.rounds.codec.ArrayCodec;
import dev.levee.operators.rounds.codec.Codec;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.codec.RecordFormat;
import dev.levee.operators.rounds.training.RoundReport;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Events that the recorder receives and keeps.
 *
 * @param version 1 had events of the first server only; 2 had one score, the accuracy; 3 had
 *     neither distances between servers nor counts of rounds; 4 had no participants of a round, no
 *     versions that rows answer, and no takeovers; 5 had no failures of participants' own code; 6
 *     had no scores on participants' own samples
 */
record EventCodec(int version) implements Codec<RunEvent> {
    static final RecordFormat<RunEvent> FORMAT = new RecordFormat<>("EVENT", 1, 7, EventCodec::new);

    private static final int ROUND_DONE = 0;
    private static final int HISTORY = 1;
    private static final int EVALUATED = 2;
    private static final int FINAL_BLOCK = 3;
    private static final int COUNTED = 4;
    private static final int EXCHANGED = 5;
    private static final int TAKEN_OVER = 6;
    private static final int RAISED = 7;
    private static final int TRANSFERRED = 9;
    private static final int TRACED = 8;
    private static final int TESTED = 10;
    private static final int REPLICATED = 11;

    private static final Codec<ExchangeReport> EXCHANGE =
            Codec.with(EventCodec::writeExchange, EventCodec::readExchange);

    private Codec<RoundReport> reports() {
        return version < 4
                ? Codecs.PLAIN_ROUND
                : version == 4 ? Codecs.COUNTING_ROUND : Codecs.ROUND;
    }

    private Codec<EvaluationReport> evaluations() {
        return Codec.with(this::writeEvaluation, this::readEvaluation);
    }

    private Codec<RunEvent.Stretch> stretches() {
        return Codec.with(
                (stretch, out) -> {
                    reports().write(stretch.report(), out);
                    out.writeLong(stretch.rounds());
                },
                in -> new RunEvent.Stretch(reports().read(in), in.readLong()));
    }

    @Override
    public void write(RunEvent event, DataOutput out) throws IOException {
        if (event instanceof RunEvent.RoundDone done) {
            writeHead(ROUND_DONE, event, out);
            reports().write(done.report(), out);
        } else if (event instanceof RunEvent.History history) {
            writeHead(HISTORY, event, out);
            out.writeLong(history.stretch());
            stretches().writeAll(history.rounds(), out);
            evaluations().writeAll(history.evaluations(), out);
            if (version >= 4) {
                EXCHANGE.writeAll(history.exchanges(), out);
            }
            if (version >= 5) {
                Codecs.TAKEOVER.writeAll(history.takeovers(), out);
            }
            if (version >= 6) {
                Codecs.CODE_FAULT.writeAll(history.codeFaults(), out);
            }
            if (version >= 7) {
                Codecs.LOCAL_SCORE.writeAll(history.scores(), out);
            }
        } else if (event instanceof RunEvent.Evaluated evaluated) {
            writeHead(EVALUATED, event, out);
            writeEvaluation(evaluated.report(), out);
        } else if (event instanceof RunEvent.FinalBlock last) {
            writeHead(FINAL_BLOCK, event, out);
            Codecs.LOOP.write(last.block(), out);
        } else if (event instanceof RunEvent.Counted counted) {
            writeHead(COUNTED, event, out);
            Codecs.COUNTS.writeAll(counted.workers(), out);
        } else if (event instanceof RunEvent.Exchanged exchanged) {
            writeHead(EXCHANGED, event, out);
            writeExchange(exchanged.report(), out);
        } else if (event instanceof RunEvent.TakenOver taken) {
            writeHead(TAKEN_OVER, event, out);
            Codecs.TAKEOVER.write(taken.takeover(), out);
        } else if (event instanceof RunEvent.Raised raised) {
            writeHead(RAISED, event, out);
            Codecs.CODE_FAULT.write(raised.fault(), out);
        } else if (event instanceof RunEvent.Tested tested) {
            writeHead(TESTED, event, out);
            Codecs.LOCAL_SCORE.write(tested.score(), out);
        } else if (event instanceof RunEvent.Transferred transferred) {
            writeHead(TRANSFERRED, event, out);
            Codecs.TRANSFER_COUNTS.write(transferred.transfers(), out);
        } else if (event instanceof RunEvent.Replicated replicated) {
            writeHead(REPLICATED, event, out);
            Codecs.REPLICA_COUNTS.write(replicated.counts(), out);
        } else if (event instanceof RunEvent.Traced traced) {
            writeHead(TRACED, event, out);
            reports().write(traced.report(), out);
            ArrayCodec.writeInts(traced.trace().asked(), out);
            ArrayCodec.writeDoubles(traced.trace().losses(), out);
            ArrayCodec.writeDoubles(traced.trace().distances(), out);
            ArrayCodec.writeBytes(traced.trace().model(), out);
        }
    }

    private void writeHead(int kind, RunEvent event, DataOutput out) throws IOException {
        out.writeByte(kind);
        if (version >= 2) {
            out.writeInt(event.server());
        }
    }

    @Override
    public RunEvent read(DataInput in) throws IOException {
        int kind = in.readByte();
        int server = version >= 2 ? in.readInt() : 0;
        return switch (kind) {
            case ROUND_DONE -> new RunEvent.RoundDone(server, reports().read(in));
            case HISTORY -> readHistory(server, in);
            case EVALUATED -> new RunEvent.Evaluated(server, readEvaluation(in));
            case FINAL_BLOCK -> new RunEvent.FinalBlock((ModelBlock) Codecs.LOOP.read(in));
            case COUNTED -> new RunEvent.Counted(server, Codecs.COUNTS.readAll(in));
            case EXCHANGED -> new RunEvent.Exchanged(server, readExchange(in));
            case RAISED -> new RunEvent.Raised(server, Codecs.CODE_FAULT.read(in));
            case TESTED -> new RunEvent.Tested(server, Codecs.LOCAL_SCORE.read(in));
            case TRANSFERRED -> new RunEvent.Transferred(server, Codecs.TRANSFER_COUNTS.read(in));
            case REPLICATED -> new RunEvent.Replicated(server, Codecs.REPLICA_COUNTS.read(in));
            case TRACED ->
                    new RunEvent.Traced(
                            server,
                            reports().read(in),
                            new RoundTrace(
                                    ArrayCodec.readInts(in),
                                    ArrayCodec.readDoubles(in),
                                    ArrayCodec.readDoubles(in),
                                    ArrayCodec.readBytes(in)));
            case TAKEN_OVER -> new RunEvent.TakenOver(Codecs.TAKEOVER.read(in));
            default -> throw new IOException("unknown event " + kind);
        };
    }

    private RunEvent.History readHistory(int server, DataInput in) throws IOException {
        return new RunEvent.History(
                server,
                in.readLong(),
                stretches().readAll(in),
                evaluations().readAll(in),
                version >= 4 ? EXCHANGE.readAll(in) : List.of(),
                version >= 5 ? Codecs.TAKEOVER.readAll(in) : List.of(),
                version >= 6 ? Codecs.CODE_FAULT.readAll(in) : List.of(),
                version >= 7 ? Codecs.LOCAL_SCORE.readAll(in) : List.of());
    }

    private static void writeExchange(ExchangeReport report, DataOutput out) throws IOException {
        out.writeLong(report.iteration());
        out.writeInt(report.heard().length);
        for (int i = 0; i < report.heard().length; i++) {
            out.writeInt(report.heard()[i]);
            out.writeDouble(report.distances()[i]);
        }
    }

    private static ExchangeReport readExchange(DataInput in) throws IOException {
        long iteration = in.readLong();
        int[] heard = new int[in.readInt()];
        double[] distances = new double[heard.length];
        for (int i = 0; i < heard.length; i++) {
            heard[i] = in.readInt();
            distances[i] = in.readDouble();
        }
        return new ExchangeReport(iteration, heard, distances);
    }

    private void writeEvaluation(EvaluationReport report, DataOutput out) throws IOException {
        out.writeLong(report.version());
        out.writeLong(report.at());
        out.writeDouble(report.loss());
        if (version < 3) {
            out.writeDouble(report.accuracy());
            return;
        }
        out.writeByte(report.scores().size());
        for (Map.Entry<Score, Double> each : report.scores().entrySet()) {
            Codecs.SCORE.write(each.getKey(), out);
            out.writeDouble(each.getValue());
        }
    }

    private EvaluationReport readEvaluation(DataInput in) throws IOException {
        long of = in.readLong();
        long at = in.readLong();
        double loss = in.readDouble();
        if (version < 3) {
            return new EvaluationReport(of, at, loss, in.readDouble());
        }
        Map<Score, Double> read = new EnumMap<>(Score.class);
        for (int left = in.readByte(); left > 0; left--) {
            read.put(Codecs.SCORE.read(in), in.readDouble());
        }
        return new EvaluationReport(of, at, loss, read);
    }
}

package dev.levee.operators.flink.internal.codec;

import dev.levee.learners.Score;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.rounds.CodeFault;
import dev.levee.operators.rounds.EvaluationReport;
import dev.levee.operators.rounds.ExchangeReport;
import dev.levee.operators.rounds.LocalScore;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.RoundTrace;
import dev.levee.operators.rounds.Takeover;
import dev.levee.operators.rounds.codec.ArrayCodec;
import dev.levee.operators.rounds.codec.Codec;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.codec.RecordFormat;
import dev.levee.operators.rounds.training.RoundReport;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Events that the recorder receives and keeps. */
final class EventCodec implements Codec<RunEvent> {
    /** Version 1 had events of the first server only. */
    static final RecordFormat<RunEvent> FIRST =
            new RecordFormat<>(
                    "EVENT",
                    1,
                    new EventCodec(false, false, false, false, false, Codecs.PLAIN_ROUND));

    /** Version 2 had one score, the accuracy. */
    static final RecordFormat<RunEvent> SECOND =
            new RecordFormat<>(
                    "EVENT",
                    2,
                    new EventCodec(true, false, false, false, false, Codecs.PLAIN_ROUND));

    /** Version 3 had neither distances between servers nor counts of rounds. */
    static final RecordFormat<RunEvent> THIRD =
            new RecordFormat<>(
                    "EVENT",
                    3,
                    new EventCodec(true, true, false, false, false, Codecs.PLAIN_ROUND));

    /** Version 4 had no participants of a round, no versions that rows answer, and no takeovers. */
    static final RecordFormat<RunEvent> FOURTH =
            new RecordFormat<>(
                    "EVENT",
                    4,
                    new EventCodec(true, true, true, false, false, Codecs.COUNTING_ROUND));

    /** Version 5 had no failures of participants' own code. */
    static final RecordFormat<RunEvent> FIFTH =
            new RecordFormat<>(
                    "EVENT", 5, new EventCodec(true, true, true, false, false, Codecs.ROUND));

    /** Version 6 had no scores on participants' own samples. */
    static final RecordFormat<RunEvent> SIXTH =
            new RecordFormat<>(
                    "EVENT", 6, new EventCodec(true, true, true, true, false, Codecs.ROUND));

    static final RecordFormat<RunEvent> FORMAT =
            new RecordFormat<>(
                    "EVENT",
                    7,
                    new EventCodec(true, true, true, true, true, Codecs.ROUND),
                    Map.of(1, FIRST, 2, SECOND, 3, THIRD, 4, FOURTH, 5, FIFTH, 6, SIXTH));

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

    private final boolean servers;
    private final boolean scores;
    private final boolean exchanges;
    private final boolean takeovers;
    private final boolean codeFaults;
    private final boolean localScores;
    private final Codec<RoundReport> reports;

    /**
     * A codec.
     *
     * @param servers true if events say which server they are about
     * @param scores true if evaluations say which scores they have
     * @param exchanges true if it is said how far servers were apart
     * @param codeFaults true if it is said what failed in participants' own code
     * @param localScores true if it is said how models do on participants' own samples
     * @param reports how reports of rounds are written
     */
    private EventCodec(
            boolean servers,
            boolean scores,
            boolean exchanges,
            boolean codeFaults,
            boolean localScores,
            Codec<RoundReport> reports) {
        this.servers = servers;
        this.scores = scores;
        this.exchanges = exchanges;
        this.takeovers = reports == Codecs.ROUND;
        this.codeFaults = codeFaults;
        this.localScores = localScores;
        this.reports = reports;
    }

    @Override
    public void write(RunEvent event, DataOutput out) throws IOException {
        if (event instanceof RunEvent.RoundDone done) {
            writeHead(ROUND_DONE, event, out);
            reports.write(done.report(), out);
        } else if (event instanceof RunEvent.History history) {
            writeHead(HISTORY, event, out);
            out.writeLong(history.stretch());
            out.writeInt(history.rounds().size());
            for (RunEvent.Stretch each : history.rounds()) {
                reports.write(each.report(), out);
                out.writeLong(each.rounds());
            }
            out.writeInt(history.evaluations().size());
            for (EvaluationReport each : history.evaluations()) {
                writeEvaluation(each, out);
            }
            if (exchanges) {
                out.writeInt(history.exchanges().size());
                for (ExchangeReport each : history.exchanges()) {
                    writeExchange(each, out);
                }
            }
            if (takeovers) {
                out.writeInt(history.takeovers().size());
                for (Takeover each : history.takeovers()) {
                    Codecs.TAKEOVER.write(each, out);
                }
            }
            if (codeFaults) {
                out.writeInt(history.codeFaults().size());
                for (CodeFault each : history.codeFaults()) {
                    Codecs.CODE_FAULT.write(each, out);
                }
            }
            if (localScores) {
                out.writeInt(history.scores().size());
                for (LocalScore each : history.scores()) {
                    Codecs.LOCAL_SCORE.write(each, out);
                }
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
            reports.write(traced.report(), out);
            ArrayCodec.writeInts(traced.trace().asked(), out);
            ArrayCodec.writeDoubles(traced.trace().losses(), out);
            ArrayCodec.writeDoubles(traced.trace().distances(), out);
            ArrayCodec.writeBytes(traced.trace().model(), out);
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
            case ROUND_DONE -> new RunEvent.RoundDone(server, reports.read(in));
            case HISTORY -> readHistory(server, in);
            case EVALUATED -> new RunEvent.Evaluated(server, readEvaluation(in));
            case FINAL_BLOCK -> new RunEvent.FinalBlock((ModelBlock) Codecs.LOOP.read(in));
            case COUNTED -> new RunEvent.Counted(server, Codecs.COUNTS.read(in));
            case EXCHANGED -> new RunEvent.Exchanged(server, readExchange(in));
            case RAISED -> new RunEvent.Raised(server, Codecs.CODE_FAULT.read(in));
            case TESTED -> new RunEvent.Tested(server, Codecs.LOCAL_SCORE.read(in));
            case TRANSFERRED -> new RunEvent.Transferred(server, Codecs.TRANSFER_COUNTS.read(in));
            case REPLICATED -> new RunEvent.Replicated(server, Codecs.REPLICA_COUNTS.read(in));
            case TRACED ->
                    new RunEvent.Traced(
                            server,
                            reports.read(in),
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
        long stretch = in.readLong();
        List<RunEvent.Stretch> rounds = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            rounds.add(new RunEvent.Stretch(reports.read(in), in.readLong()));
        }
        List<EvaluationReport> evaluations = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            evaluations.add(readEvaluation(in));
        }
        List<ExchangeReport> apart = new ArrayList<>();
        for (int left = exchanges ? in.readInt() : 0; left > 0; left--) {
            apart.add(readExchange(in));
        }
        List<Takeover> taken = new ArrayList<>();
        for (int left = takeovers ? in.readInt() : 0; left > 0; left--) {
            taken.add(Codecs.TAKEOVER.read(in));
        }
        List<CodeFault> faults = new ArrayList<>();
        for (int left = codeFaults ? in.readInt() : 0; left > 0; left--) {
            faults.add(Codecs.CODE_FAULT.read(in));
        }
        List<LocalScore> scored = new ArrayList<>();
        for (int left = localScores ? in.readInt() : 0; left > 0; left--) {
            scored.add(Codecs.LOCAL_SCORE.read(in));
        }
        return new RunEvent.History(
                server, stretch, rounds, evaluations, apart, taken, faults, scored);
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
        if (!scores) {
            out.writeDouble(report.accuracy());
            return;
        }
        out.writeByte(report.scores().size());
        for (Map.Entry<Score, Double> each : report.scores().entrySet()) {
            out.writeUTF(each.getKey().key());
            out.writeDouble(each.getValue());
        }
    }

    private EvaluationReport readEvaluation(DataInput in) throws IOException {
        long version = in.readLong();
        long at = in.readLong();
        double loss = in.readDouble();
        if (!scores) {
            return new EvaluationReport(version, at, loss, in.readDouble());
        }
        Map<Score, Double> read = new EnumMap<>(Score.class);
        for (int left = in.readByte(); left > 0; left--) {
            String key = in.readUTF();
            Score score =
                    Arrays.stream(Score.values())
                            .filter(each -> each.key().equals(key))
                            .findFirst()
                            .orElseThrow(() -> new IOException("unknown score " + key));
            read.put(score, in.readDouble());
        }
        return new EvaluationReport(version, at, loss, read);
    }
}

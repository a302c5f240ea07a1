package dev.levee.operators.flink.internal.codec;

import dev.levee.learners.Score;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.codec.Codec;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.codec.KindCodec;
import dev.levee.operators.rounds.codec.RecordCodec;
import dev.levee.operators.rounds.codec.RecordFormat;
import dev.levee.operators.rounds.report.EvaluationReport;
import dev.levee.operators.rounds.report.ExchangeReport;
import dev.levee.operators.rounds.report.RoundTrace;
import dev.levee.operators.rounds.training.RoundReport;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Codec of the events that the recorder receives and stores. */
final class EventCodec {
    private static final Codec<ExchangeReport> EXCHANGE =
            Codec.with(EventCodec::writeExchange, EventCodec::readExchange);

    static final RecordFormat<RunEvent> FORMAT = new RecordFormat<>("EVENT", 1, 7, EventCodec::of);

    private EventCodec() {}

    /**
     * The codec of a version.
     *
     * @param version 1 had events of the first server only; 2 had one score, the accuracy; 3 had
     *     neither distances between servers nor counts of rounds; 4 had no participants of a round,
     *     no versions that rows answer, and no takeovers; 5 had no failures of participants' own
     *     code; 6 had no scores on participants' own samples
     */
    static Codec<RunEvent> of(int version) {
        Codec<RoundReport> reports =
                version < 4
                        ? Codecs.PLAIN_ROUND
                        : version == 4 ? Codecs.COUNTING_ROUND : Codecs.ROUND;
        Codec<EvaluationReport> evaluations =
                Codec.with(
                        (report, out) -> writeEvaluation(version, report, out),
                        in -> readEvaluation(version, in));
        return new KindCodec<>("unknown event", new Server(version >= 2))
                .record(0, RunEvent.RoundDone.class, reports)
                .record(
                        1,
                        RunEvent.History.class,
                        new RecordCodec<>(RunEvent.Stretch.class, reports).list(),
                        evaluations.list(),
                        Codec.when(version >= 4, EXCHANGE.list(), List.of()),
                        Codec.when(version >= 5, Codecs.TAKEOVER.list(), List.of()),
                        Codec.when(version >= 6, Codecs.CODE_FAULT.list(), List.of()),
                        Codec.when(version >= 7, Codecs.LOCAL_SCORE.list(), List.of()))
                .record(2, RunEvent.Evaluated.class, evaluations)
                .record(3, RunEvent.FinalBlock.class, Codecs.LOOP.only(ModelBlock.class))
                .record(4, RunEvent.Counted.class, Codecs.COUNTS.list())
                .record(5, RunEvent.Exchanged.class, EXCHANGE)
                .record(6, RunEvent.TakenOver.class, Codecs.TAKEOVER)
                .record(7, RunEvent.Raised.class, Codecs.CODE_FAULT)
                .record(8, RunEvent.Traced.class, reports, new RecordCodec<>(RoundTrace.class))
                .record(9, RunEvent.Transferred.class, Codecs.TRANSFER_COUNTS)
                .record(10, RunEvent.Tested.class, Codecs.LOCAL_SCORE)
                .record(11, RunEvent.Replicated.class, Codecs.REPLICA_COUNTS)
                .record(12, RunEvent.OnGpus.class, Codecs.GPU_MEMORY.list());
    }

    /** The server of an event; the first one in a version without servers. */
    private record Server(boolean said) implements KindCodec.Head<RunEvent> {
        @Override
        public void write(RunEvent event, DataOutput out) throws IOException {
            if (said) {
                out.writeInt(event.server());
            }
        }

        @Override
        public Map<String, Object> read(DataInput in) throws IOException {
            return Map.of("server", said ? in.readInt() : 0);
        }

        @Override
        public Set<String> names() {
            return Set.of("server");
        }
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

    private static void writeEvaluation(int version, EvaluationReport report, DataOutput out)
            throws IOException {
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

    private static EvaluationReport readEvaluation(int version, DataInput in) throws IOException {
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

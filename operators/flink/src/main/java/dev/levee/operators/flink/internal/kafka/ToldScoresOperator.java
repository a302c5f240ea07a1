package dev.levee.operators.flink.internal.kafka;

import dev.levee.connectors.kafka.TopicReader;
import dev.levee.connectors.kafka.job.KafkaEdge;
import dev.levee.connectors.kafka.wire.ToldScores;
import dev.levee.learners.Score;
import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.report.EvaluationReport;
import dev.levee.operators.rounds.training.Training;

import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;

/**
 * Receives scores of model versions from a worker, for models that the job itself cannot evaluate.
 * The scores go only to the history and to metrics. The operator has no state: each start reads the
 * topic from its beginning. At the end of the run, it waits a while for scores of the final model.
 */
public final class ToldScoresOperator extends AbstractStreamOperator<RunEvent>
        implements OneInputStreamOperator<LoopMessage, RunEvent> {
    private static final long serialVersionUID = 1L;

    /** Reports to the coordinator about refused records. */
    public static final OutputTag<ShardReport> REPORTS =
            new OutputTag<>("refused-scores", RecordKind.REPORT.asType(ShardReport.class));

    private final KafkaEdge edge;
    private final Training training;
    private final transient MailboxExecutor mailbox;
    private final ConcurrentSkipListMap<Score, Double> newest = new ConcurrentSkipListMap<>();
    private transient ScoresGate gate;
    private transient TopicReader reader;
    private transient volatile double loss;

    /** The final version of the run; −1 before its end. */
    private transient long last;

    /** True while the task's thread waits for records of the reader. */
    private transient volatile boolean waits;

    /** Creates a receiver of the scores of the run's evaluator. */
    public ToldScoresOperator(
            StreamOperatorParameters<RunEvent> parameters, KafkaEdge edge, Training training) {
        super(parameters);
        this.edge = edge;
        this.training = training;
        this.mailbox = parameters.getMailboxExecutor();
    }

    @Override
    public void open() throws Exception {
        super.open();
        last = -1;
        loss = Double.NaN;
        gate = new ScoresGate(edge, training, System::nanoTime);
        getMetricGroup().gauge("testLoss", (Gauge<Double>) () -> loss);
        getMetricGroup().gauge("evaluator", (Gauge<Integer>) () -> edge.evaluator().worker());
        reader = TopicReader.start(edge.kafka(), edge.topics().scores(), "scores", new Topic());
    }

    /** Reads the topic's only partition from its beginning. */
    private final class Topic implements TopicReader.Listener {
        /** Offset of the first record that did not exist when the reader started. */
        private long end;

        @Override
        public Map<TopicPartition, Long> begin(
                Consumer<byte[], byte[]> consumer, List<TopicPartition> all, Duration patience) {
            TopicPartition only = new TopicPartition(edge.topics().scores(), 0);
            end = consumer.endOffsets(List.of(only), patience).get(only);
            return Map.of(only, 0L);
        }

        @Override
        public void take(Iterable<ConsumerRecord<byte[], byte[]>> records) {
            List<ConsumerRecord<byte[], byte[]>> old = new ArrayList<>();
            List<ConsumerRecord<byte[], byte[]>> fresh = new ArrayList<>();
            records.forEach(record -> (record.offset() < end ? old : fresh).add(record));
            if (!old.isEmpty()) {
                records(old, false);
            }
            records(fresh, true);
        }

        @Override
        public void waiting(String why) {
            LOG.warn("{}", why);
            records(List.of(), true);
        }

        @Override
        public void failed(RuntimeException cause) {
            try {
                mailbox.execute(
                        () -> {
                            throw cause;
                        },
                        "failed reader of scores");
            } catch (RejectedExecutionException e) {
                // The task has ended.
            }
        }
    }

    /** Called on the reader's thread, which waits until these records are handled. */
    private void records(List<ConsumerRecord<byte[], byte[]>> records, boolean fresh) {
        if (records.isEmpty() && !waits) {
            return;
        }
        CountDownLatch done = new CountDownLatch(1);
        try {
            mailbox.execute(
                    () -> {
                        records.forEach(this::take);
                        flush(fresh);
                        done.countDown();
                    },
                    "scores");
            done.await();
        } catch (InterruptedException | RejectedExecutionException e) {
            // The task has ended, and with it the reader.
            Thread.currentThread().interrupt();
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        gate.accept(record.value()).ifPresent(told -> tell(told, record.timestamp()));
    }

    private void tell(ToldScores told, long at) {
        loss = told.loss();
        for (Map.Entry<Score, Double> each : told.scores().entrySet()) {
            Score score = each.getKey();
            boolean first = !newest.containsKey(score);
            newest.put(score, each.getValue());
            if (first) {
                getMetricGroup().gauge(score.metric(), (Gauge<Double>) () -> newest.get(score));
            }
        }
        report(told.version(), at, told.loss(), told.scores());
    }

    private void report(long version, long at, double testLoss, Map<Score, Double> scores) {
        output.collect(
                new StreamRecord<>(
                        new RunEvent.Evaluated(
                                0,
                                new EvaluationReport(
                                        training.moment(version).iteration(),
                                        at,
                                        testLoss,
                                        scores))));
    }

    /**
     * Reports refused records. Records from before this start are not reported: the counts of the
     * newest published version have all but the last of them, which a failure loses.
     */
    private void flush(boolean fresh) {
        gate.flush(
                (reason, records) -> refused(fresh, counted(), reason, records),
                (reason, records) -> refused(fresh, -1, reason, records));
    }

    /**
     * The id under which refused records of the evaluator are counted: that of a worker, if it is
     * one.
     */
    private int counted() {
        int evaluator = edge.evaluator().worker();
        return evaluator < training.workers() ? evaluator : -1;
    }

    private void refused(boolean fresh, int worker, Rejection reason, long records) {
        if (fresh) {
            output.collect(
                    REPORTS,
                    new StreamRecord<>(new ShardReport.Refused(0, worker, reason, records)));
        }
    }

    @Override
    public void processElement(StreamRecord<LoopMessage> record) {
        ModelBlock model = (ModelBlock) record.getValue();
        if (model.settings().stop()) {
            last = model.round();
        }
    }

    @Override
    public void finish() throws Exception {
        // Inputs also end when a running job is drained; then there is no final model.
        if (last >= 0 && !gate.told(last)) {
            waits = true;
            long deadline = System.nanoTime() + edge.evaluator().patience().toNanos();
            while (!gate.told(last) && System.nanoTime() < deadline) {
                mailbox.yield();
            }
            if (!gate.told(last)) {
                untold();
            }
        }
        super.finish();
    }

    /** Records that the final model has no scores, instead of showing those of an earlier model. */
    private void untold() {
        Map<Score, Double> none = new TreeMap<>(newest);
        none.replaceAll((score, value) -> Double.NaN);
        report(last, System.currentTimeMillis(), Double.NaN, none);
        refused(true, counted(), Rejection.MISSING, 1);
    }

    @Override
    public void close() throws Exception {
        if (reader != null) {
            reader.close();
        }
        super.close();
    }
}

package dev.levee.operators.flink.internal.runtime;

import dev.levee.connectors.data.Datasets;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Learner;
import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.rounds.EvaluationReport;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ModelAssembler;
import dev.levee.operators.rounds.ModelBlock;

import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Evaluates models beside the loop, on a thread of its own. It never holds a round back: while one
 * evaluation runs, only the newest model waits, except that the final one is never skipped. What
 * waits is part of a checkpoint.
 */
final class EvaluationOperator extends AbstractStreamOperator<RunEvent>
        implements OneInputStreamOperator<LoopMessage, RunEvent> {
    private static final long serialVersionUID = 1L;
    private static final long CLOSE_SECONDS = 30;

    private final LoopJob job;
    private final transient MailboxExecutor mailbox;
    private final TreeMap<Long, List<ModelBlock>> blocks = new TreeMap<>();
    private transient ModelAssembler assembler;
    private transient ListState<LoopMessage> state;
    private transient ExecutorService thread;
    private transient Learner learner;
    private transient ModelAssembler.Assembled running;
    private transient ModelAssembler.Assembled waiting;
    private transient long evaluated;
    private transient Counter skipped;
    private transient volatile double accuracy;
    private transient volatile double loss;

    EvaluationOperator(StreamOperatorParameters<RunEvent> parameters, LoopJob job) {
        super(parameters);
        this.job = job;
        this.mailbox = parameters.getMailboxExecutor();
        this.evaluated = -1;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        state =
                context.getOperatorStateStore()
                        .getListState(
                                new ListStateDescriptor<>(
                                        "waiting", RecordKind.LOOP.asType(LoopMessage.class)));
    }

    @Override
    public void open() throws Exception {
        super.open();
        assembler = new ModelAssembler(job.slices());
        accuracy = Double.NaN;
        loss = Double.NaN;
        getMetricGroup().gauge("testAccuracy", (Gauge<Double>) () -> accuracy);
        getMetricGroup().gauge("testLoss", (Gauge<Double>) () -> loss);
        skipped = getMetricGroup().counter("skippedEvaluations");
        thread =
                Executors.newSingleThreadExecutor(
                        task -> {
                            Thread made = new Thread(task, "evaluation");
                            made.setDaemon(true);
                            return made;
                        });
        for (LoopMessage block : state.get()) {
            add((ModelBlock) block);
        }
    }

    @Override
    public void processElement(StreamRecord<LoopMessage> record) {
        add((ModelBlock) record.getValue());
    }

    private void add(ModelBlock block) {
        if (block.round() <= evaluated) {
            return;
        }
        blocks.computeIfAbsent(block.round(), r -> new ArrayList<>()).add(block);
        ModelAssembler.Assembled model = assembler.add(block);
        if (model == null) {
            return;
        }
        if (waiting != null) {
            skipped.inc();
            forget(waiting.version());
        }
        waiting = model;
        startNext();
    }

    private void startNext() {
        if (running != null || waiting == null) {
            return;
        }
        running = waiting;
        waiting = null;
        ModelAssembler.Assembled model = running;
        thread.execute(() -> run(model));
    }

    private void run(ModelAssembler.Assembled model) {
        try {
            Evaluation evaluation = evaluate(model);
            mailbox.execute(() -> done(model, evaluation), "evaluation");
        } catch (RejectedExecutionException e) {
            LOG.debug("the task ended before version {} was evaluated", model.version());
        } catch (Throwable e) {
            fail(e);
        }
    }

    private void fail(Throwable cause) {
        try {
            mailbox.execute(
                    () -> {
                        throw new IllegalStateException("evaluation failed", cause);
                    },
                    "failed evaluation");
        } catch (RejectedExecutionException e) {
            LOG.debug("the task ended before it heard of a failure", cause);
        }
    }

    private Evaluation evaluate(ModelAssembler.Assembled model) {
        if (learner == null) {
            learner = job.training().model().newLearner();
        }
        return learner.evaluate(
                model.parameters(),
                Datasets.open(job.training().data().uri(), Datasets.Split.TEST));
    }

    private void done(ModelAssembler.Assembled model, Evaluation evaluation) {
        accuracy = evaluation.accuracy();
        loss = evaluation.loss();
        output.collect(
                new StreamRecord<>(
                        new RunEvent.Evaluated(
                                new EvaluationReport(
                                        model.version(),
                                        System.currentTimeMillis(),
                                        evaluation.loss(),
                                        evaluation.accuracy()))));
        evaluated = model.version();
        running = null;
        forget(model.version());
        startNext();
    }

    private void forget(long version) {
        blocks.headMap(version, true).clear();
    }

    @Override
    public void finish() throws Exception {
        while (running != null || waiting != null) {
            mailbox.yield();
        }
        super.finish();
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        List<LoopMessage> all = new ArrayList<>();
        blocks.values().forEach(all::addAll);
        state.update(all);
    }

    @Override
    public void close() throws Exception {
        if (thread != null) {
            thread.shutdownNow();
            if (thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS) && learner != null) {
                learner.close();
            }
        }
        super.close();
    }
}

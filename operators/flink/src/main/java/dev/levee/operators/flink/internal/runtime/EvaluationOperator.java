package dev.levee.operators.flink.internal.runtime;

import dev.levee.connectors.data.Datasets;
import dev.levee.learners.Evaluation;
import dev.levee.learners.FlatVector;
import dev.levee.learners.Learner;
import dev.levee.learners.Score;
import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.flink.internal.runtime.history.VectorStore;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.participant.ComputeThreads;
import dev.levee.operators.rounds.report.EvaluationReport;
import dev.levee.operators.rounds.training.RunSink;

import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/**
 * Evaluates models outside the loop, on a thread of its own. It never delays a round: while one
 * evaluation runs, only the newest model of each server waits, so the final model is never skipped.
 * Checkpoints contain the waiting models and the progress of evaluations. If a run continues from a
 * published version that is later than its checkpoint, it first evaluates the versions between
 * them.
 */
final class EvaluationOperator extends AbstractStreamOperator<RunEvent>
        implements OneInputStreamOperator<LoopMessage, RunEvent> {
    private static final long serialVersionUID = 1L;

    /** The model that was evaluated last, and its result. */
    private record Last(float[] parameters, Evaluation evaluation) {}

    /** Stores the waiting models. */
    private transient VectorStore store;

    private final LoopJob job;
    private final RunSink sink;
    private final transient MailboxExecutor mailbox;
    private transient ListState<LoopMessage> state;
    private transient ListState<Long> evaluatedState;
    private transient ExecutorService thread;
    private transient Learner learner;
    private transient Last last;
    private transient List<Server> servers;

    /** The server whose model is being evaluated; null if none is. */
    private transient Server running;

    /** True while models from before the start are evaluated. */
    private transient boolean catchesUp;

    private transient Counter skipped;

    EvaluationOperator(StreamOperatorParameters<RunEvent> parameters, LoopJob job, RunSink sink) {
        super(parameters);
        this.job = job;
        this.sink = sink;
        this.mailbox = parameters.getMailboxExecutor();
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        state =
                context.getOperatorStateStore()
                        .getListState(
                                new ListStateDescriptor<>(
                                        "waiting", RecordKind.LOOP.asType(LoopMessage.class)));
        evaluatedState =
                context.getOperatorStateStore()
                        .getListState(new ListStateDescriptor<>("evaluated", Types.LONG));
    }

    @Override
    public void open() throws Exception {
        super.open();
        store = job.vectors(getContainingTask().getEnvironment());
        servers = new ArrayList<>();
        for (int server = 0; server < job.servers(); server++) {
            servers.add(new Server(server));
        }
        skipped = getMetricGroup().counter("skippedEvaluations");
        thread = ComputeThreads.one("evaluation");
        long after = restoreEvaluated();
        catchesUp = true;
        thread.execute(() -> catchUp(after));
        for (LoopMessage block : state.get()) {
            add((ModelBlock) block);
        }
    }

    /** The iteration up to which all servers' models were evaluated; −1 if there is none. */
    private long restoreEvaluated() throws Exception {
        List<Long> evaluated = new ArrayList<>();
        evaluatedState.get().forEach(evaluated::add);
        if (evaluated.size() != servers.size()) {
            return -1; // a new run, or an old state without this number
        }
        for (Server each : servers) {
            each.evaluated = evaluated.get(each.id);
        }
        return Collections.min(evaluated);
    }

    /** Evaluates models that a run would not see again when it continues from its topics. */
    private void catchUp(long after) {
        try {
            job.edge().unevaluated(job, after, this::evaluatePast);
            mailbox.execute(() -> catchesUp = false, "past evaluations");
        } catch (RejectedExecutionException e) {
            LOG.debug("the task ended before models from before its start were evaluated");
        } catch (Throwable e) {
            fail(e);
        }
    }

    private void evaluatePast(int server, long iteration, long at, float[] parameters) {
        Evaluation evaluation = evaluate(FlatVector.of(parameters));
        try {
            sink.evaluated(job.training(), server, iteration, FlatVector.of(parameters));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        mailbox.execute(
                () -> servers.get(server).report(iteration, at, evaluation), "past evaluation");
    }

    @Override
    public void processElement(StreamRecord<LoopMessage> record) {
        add((ModelBlock) record.getValue());
    }

    private void add(ModelBlock block) {
        if (servers.get(block.shard().server()).models.add(block)) {
            skipped.inc();
        }
        if (running == null) {
            startNext(0);
        }
    }

    /** Starts the evaluation of the next waiting model, from this server on. */
    private void startNext(int from) {
        for (int i = 0; i < servers.size() && running == null; i++) {
            Server server = servers.get((from + i) % servers.size());
            if (server.models.waits()) {
                running = server;
                EvaluationQueue.Version model = server.models.take();
                thread.execute(() -> run(server, model));
            }
        }
    }

    private void run(Server server, EvaluationQueue.Version model) {
        try {
            Evaluation evaluation = evaluate(model.parameters());
            sink.evaluated(job.training(), server.id, iteration(model), model.parameters());
            mailbox.execute(() -> done(server, model, evaluation), "evaluation");
        } catch (RejectedExecutionException e) {
            LOG.debug("the task ended before version {} was evaluated", model.number());
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

    /** Evaluates a model. Servers with equal models share one evaluation. */
    private Evaluation evaluate(FlatVector parameters) {
        boolean compares = servers.size() > 1 && store.inMemory();
        if (compares && last != null && Arrays.equals(last.parameters, parameters.all())) {
            return last.evaluation;
        }
        if (learner == null) {
            learner = job.training().model().newLearner();
        }
        Evaluation evaluation =
                learner.evaluate(
                        parameters,
                        Datasets.open(job.training().data().uri(), Datasets.Split.TEST));
        last = compares ? new Last(parameters.all(), evaluation) : null;
        return evaluation;
    }

    private long iteration(EvaluationQueue.Version model) {
        return job.training().moment(model.number()).iteration();
    }

    private void done(Server server, EvaluationQueue.Version model, Evaluation evaluation) {
        server.last = evaluation;
        server.report(iteration(model), System.currentTimeMillis(), evaluation);
        server.models.evaluated();
        running = null;
        startNext(server.id + 1);
    }

    /** The models of one parameter server, and the scores of the newest one. */
    private final class Server {
        private final int id;
        private final EvaluationQueue models = new EvaluationQueue(job.slices(), store);
        private volatile Evaluation last = new Evaluation(0, Double.NaN, Map.of());
        private long evaluated = -1;

        private Server(int id) {
            this.id = id;
            MetricGroup group = job.metrics(getMetricGroup(), id);
            for (Score score : job.training().model().scores()) {
                group.gauge(
                        score.metric(),
                        (Gauge<Double>) () -> last.scores().getOrDefault(score, Double.NaN));
            }
            group.gauge("testLoss", (Gauge<Double>) () -> last.loss());
        }

        private void report(long iteration, long at, Evaluation evaluation) {
            evaluated = Math.max(evaluated, iteration);
            output.collect(
                    new StreamRecord<>(
                            new RunEvent.Evaluated(
                                    id,
                                    new EvaluationReport(
                                            iteration,
                                            at,
                                            evaluation.loss(),
                                            evaluation.scores()))));
        }
    }

    @Override
    public void finish() throws Exception {
        // When an evaluation ends, the next starts at once.
        while (running != null || catchesUp) {
            mailbox.yield();
        }
        if (learner != null) {
            learner.gpuMemory()
                    .map(each -> new RunEvent.OnGpus(0, List.of(each)))
                    .ifPresent(event -> output.collect(new StreamRecord<>(event)));
        }
        super.finish();
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        List<LoopMessage> all = new ArrayList<>();
        servers.forEach(server -> all.addAll(server.models.blocks()));
        state.update(all);
        evaluatedState.update(servers.stream().map(each -> each.evaluated).toList());
    }

    @Override
    public void close() throws Exception {
        if (thread != null) {
            ComputeThreads.end(
                    thread,
                    () -> {
                        if (learner != null) {
                            learner.close();
                        }
                        servers.forEach(server -> server.models.close());
                    });
        }
        super.close();
    }
}

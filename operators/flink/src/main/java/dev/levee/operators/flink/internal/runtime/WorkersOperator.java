package dev.levee.operators.flink.internal.runtime;

import dev.levee.learners.Gradient;
import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.loop.LocalExchange;
import dev.levee.operators.rounds.Effort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.GradientComputer;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.WorkerState;
import dev.levee.operators.rounds.Workers;

import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

import java.util.Map;
import java.util.TreeMap;

/**
 * The workers of one subtask. Models arrive by broadcast; which workers live here follows from key
 * groups, and their state is keyed, so it moves with them. A result comes back as one mail that
 * updates the state and sends all blocks, which no barrier can split.
 */
final class WorkersOperator extends AbstractStreamOperator<GradientBlock>
        implements OneInputStreamOperator<LoopMessage, GradientBlock>,
                BoundedOneInput,
                Workers.Output,
                GradientComputer.Done {
    private static final long serialVersionUID = 1L;

    static final OutputTag<ShardReport> REPORTS =
            new OutputTag<>("efforts", RecordKind.REPORT.asType(ShardReport.class));

    private final LoopJob job;
    private final transient MailboxExecutor mailbox;
    private transient KeyedStates<WorkerState> states;
    private transient Workers workers;
    private transient GradientComputer computer;
    private transient LocalExchange.Reader reader;
    private transient boolean ended;

    WorkersOperator(StreamOperatorParameters<GradientBlock> parameters, LoopJob job) {
        super(parameters);
        this.job = job;
        this.mailbox = parameters.getMailboxExecutor();
    }

    @Override
    @SuppressWarnings("rawtypes")
    public void setKeyContextElement1(StreamRecord record) {
        // A broadcast model belongs to no worker: keys are set one by one where state is touched.
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        states = new KeyedStates<>(this, "worker", RecordKind.WORKER.asType(WorkerState.class));
    }

    @Override
    public void open() throws Exception {
        super.open();
        TreeMap<Integer, WorkerState> own = new TreeMap<>();
        for (int worker = 0; worker < job.training().mostWorkers(); worker++) {
            int key = job.workerKeys()[worker];
            if (states.owns(key)) {
                WorkerState state = states.get(key);
                own.put(worker, state == null ? WorkerState.FRESH : state);
            }
        }
        workers =
                new Workers(job.training(), job.run(), job.slices(), own, this, RunClock.INSTANCE);
        computer =
                new GradientComputer(
                        job.training(),
                        "gradients of "
                                + getRuntimeContext().getTaskInfo().getTaskNameWithSubtasks(),
                        this);
        getMetricGroup()
                .gauge(
                        "computeMilliseconds",
                        (Gauge<Long>) () -> computer.computeNanos() / 1_000_000);
        getMetricGroup().gauge("workers", (Gauge<Integer>) own::size);
        reader = LocalExchange.reader(job.run(), LoopGraph.WORKERS, getRuntimeContext());
        TaskInfo task = getRuntimeContext().getTaskInfo();
        reader.readBroadcast(task.getIndexOfThisSubtask(), task.getNumberOfParallelSubtasks());
    }

    @Override
    public void processElement(StreamRecord<LoopMessage> record) {
        workers.model((ModelBlock) record.getValue());
    }

    @Override
    public void compute(Workers.Task task) {
        computer.start(task);
    }

    @Override
    public void computed(Workers.Task task, Gradient gradient, Effort effort) {
        mailbox.execute(
                () -> {
                    if (!ended) {
                        if (job.training().elasticity() != null) {
                            report(new ShardReport.Computed(task.round(), task.worker(), effort));
                        }
                        workers.computed(task, gradient);
                    }
                },
                "gradient of worker %s in round %s",
                task.worker(),
                task.round());
    }

    private void report(ShardReport report) {
        output.collect(REPORTS, new StreamRecord<>(report));
    }

    @Override
    public void failed(Workers.Task task, Throwable cause) {
        mailbox.execute(
                () -> {
                    throw new IllegalStateException(
                            "worker " + task.worker() + " failed in round " + task.round(), cause);
                },
                "failure of worker %s",
                task.worker());
    }

    @Override
    public void send(GradientBlock block) {
        output.collect(new StreamRecord<>(block));
    }

    @Override
    public void endInput() {
        // The final model is made: whatever is still being computed is for a round that has closed.
        ended = true;
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        for (Map.Entry<Integer, WorkerState> worker : workers.snapshot().entrySet()) {
            states.put(job.workerKeys()[worker.getKey()], worker.getValue());
        }
    }

    @Override
    public void close() throws Exception {
        if (computer != null) {
            computer.close();
        }
        if (reader != null) {
            reader.close();
        }
        super.close();
    }
}

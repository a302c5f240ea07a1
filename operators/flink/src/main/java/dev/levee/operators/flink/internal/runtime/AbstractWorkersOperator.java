package dev.levee.operators.flink.internal.runtime;

import dev.levee.learners.Learner.GpuMemory;
import dev.levee.learners.ParticipantException;
import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.loop.LocalExchange;
import dev.levee.operators.flink.internal.loop.RunClock;
import dev.levee.operators.flink.internal.runtime.operator.KeyedStates;
import dev.levee.operators.flink.internal.runtime.replica.ReplicaHost;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.GradientCost;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Permission;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.SumTree;
import dev.levee.operators.rounds.fault.CodeFault;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.participant.Announcement;
import dev.levee.operators.rounds.participant.GradientComputer;
import dev.levee.operators.rounds.participant.LocalVectors;
import dev.levee.operators.rounds.participant.ModelArrays;
import dev.levee.operators.rounds.participant.ParticipantOutput;
import dev.levee.operators.rounds.participant.ParticipantStates;
import dev.levee.operators.rounds.participant.WorkerState;
import dev.levee.operators.rounds.participant.Workers;
import dev.levee.operators.rounds.report.LocalScore;
import dev.levee.operators.rounds.report.Takeover;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.shard.Replica;
import dev.levee.operators.rounds.topology.ReadingGroup;
import dev.levee.operators.rounds.training.Work;

import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.util.OutputTag;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the workers of one subtask; subclasses decide how gradients are computed. Models arrive by
 * broadcast. Key groups determine which workers are in the subtask, and their state is keyed, so it
 * moves with them. A result arrives as one mail that updates the state and sends all blocks, so no
 * barrier separates them.
 */
abstract class AbstractWorkersOperator extends AbstractStreamOperator<GradientBlock>
        implements ParticipantOutput, GradientComputer.Done {
    private static final long serialVersionUID = 1L;

    static final OutputTag<ShardReport> REPORTS =
            new OutputTag<>("reports", RecordKind.REPORT.asType(ShardReport.class));

    final LoopJob job;
    final transient MailboxExecutor mailbox;
    private transient List<KeyedStates<WorkerState>> states;
    private transient Workers[] workers;
    private transient GradientComputer computer;
    private transient LocalExchange.Reader reader;
    private transient Counter failovers;
    private transient boolean ended;

    AbstractWorkersOperator(StreamOperatorParameters<GradientBlock> parameters, LoopJob job) {
        super(parameters);
        this.job = job;
        this.mailbox = parameters.getMailboxExecutor();
    }

    @Override
    @SuppressWarnings("rawtypes")
    public void setKeyContextElement1(StreamRecord record) {
        // A broadcast model has no key: the operator sets the key of a worker when it uses its
        // state.
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        states = new ArrayList<>();
        for (int group = 0; group < job.readingGroups().size(); group++) {
            states.add(
                    new KeyedStates<>(
                            this,
                            "worker of server " + group,
                            RecordKind.WORKER.asType(WorkerState.class)));
        }
    }

    /** The keyed states of local workers, for one group of servers. */
    private final class Resting implements ParticipantStates {
        private final KeyedStates<WorkerState> states;

        private Resting(KeyedStates<WorkerState> states) {
            this.states = states;
        }

        @Override
        public boolean has(int participant) {
            return states.owns(job.workerKeys()[participant]);
        }

        @Override
        public WorkerState get(int participant) {
            try {
                WorkerState state = states.get(job.workerKeys()[participant]);
                return state == null ? WorkerState.FRESH : state;
            } catch (Exception e) {
                throw unreadable(participant, e);
            }
        }

        @Override
        public void put(int participant, WorkerState state) {
            try {
                states.put(job.workerKeys()[participant], state);
            } catch (Exception e) {
                throw unreadable(participant, e);
            }
        }

        private IllegalStateException unreadable(int participant, Exception cause) {
            return new IllegalStateException("no access to the state of " + participant, cause);
        }
    }

    @Override
    public void open() throws Exception {
        super.open();
        int local = 0;
        for (int key : job.workerKeys()) {
            local += states.get(0).owns(key) ? 1 : 0;
        }
        int here = local;
        reader = LocalExchange.reader(job.run(), LoopGraph.WORKERS, getRuntimeContext());
        workers = new Workers[job.readingGroups().size()];
        for (int group = 0; group < workers.length; group++) {
            workers[group] =
                    new Workers(
                            job.training(),
                            job.run(),
                            job.slices(),
                            job.readingGroups().get(group),
                            held(reader.models()),
                            new Resting(states.get(group)),
                            this,
                            RunClock.WALL);
        }
        computer =
                computer(
                        "gradients of "
                                + getRuntimeContext().getTaskInfo().getTaskNameWithSubtasks(),
                        here);
        getMetricGroup()
                .gauge(
                        "computeMilliseconds",
                        (Gauge<Long>) () -> computer.computeNanos() / 1_000_000);
        failovers = getMetricGroup().counter("failovers");
        getMetricGroup().gauge("workers", (Gauge<Integer>) () -> here);
        TaskInfo task = getRuntimeContext().getTaskInfo();
        reader.readBroadcast(task.getIndexOfThisSubtask(), task.getNumberOfParallelSubtasks());
    }

    /**
     * The coordinates held in the slots of workers.
     *
     * @param arrays this process's arrays for whole models
     */
    LocalVectors held(ModelArrays arrays) {
        return LocalVectors.whole(job.slices(), arrays);
    }

    /**
     * Creates the computer of gradients.
     *
     * @param name what it computes
     * @param workers number of local workers
     */
    abstract GradientComputer computer(String name, int workers);

    /**
     * Handles a block of a model, a permission to send, a tree of sums, or a message of a secure
     * sum.
     */
    final void take(StreamRecord<LoopMessage> record) {
        if (record.getValue() instanceof SumTree tree) {
            LocalExchange exchange = LocalExchange.of(job.run());
            if (exchange != null) {
                exchange.trees().add(tree);
            }
            return;
        }
        if (record.getValue() instanceof Permission permission) {
            workers[ReadingGroup.of(job.training().topology(), permission.server())].permitted(
                    permission);
            return;
        }
        if (record.getValue() instanceof SumNotice notice) {
            workers[ReadingGroup.of(job.training().topology(), notice.server())].told(notice);
            return;
        }
        ModelBlock model = (ModelBlock) record.getValue();
        watched(model);
        int group = ReadingGroup.of(job.training().topology(), model.shard().server());
        try {
            workers[group].model(model);
        } catch (RunFailedException e) {
            throw new SuppressRestartsException(e);
        }
    }

    /** Passes the primary's model to the replica in this process. */
    private void watched(ModelBlock model) {
        if (job.training().topology().standby() != null) {
            Replica replica = ReplicaHost.find(getRuntimeContext(), job.run());
            if (replica != null) {
                replica.seen(model);
            }
        }
    }

    @Override
    public void alarm(int group, Duration after, long ticket) {
        ProcessingTimeService clock = getProcessingTimeService();
        clock.registerTimer(
                clock.getCurrentProcessingTime() + after.toMillis() + 1,
                time -> {
                    if (!ended && workers[group].alarm(ticket)) {
                        failovers.inc();
                        LOG.warn("the server that was read is silent: reading the next one");
                    }
                });
    }

    @Override
    public void takenOver(Takeover takeover) {
        report(
                new ShardReport.TakenOver(
                        takeover.in(getRuntimeContext().getTaskInfo().getAttemptNumber())));
    }

    @Override
    public void scored(int group, LocalScore score) {
        report(new ShardReport.Tested(group, score));
    }

    @Override
    public void say(int group, long round, SumMessage.FromDevice message) {
        report(new ShardReport.Said(round, group, message));
    }

    @Override
    public void announce(Announcement announcement) {
        report(
                new ShardReport.Announced(
                        announcement.base(),
                        announcement.group(),
                        announcement.worker(),
                        leaving(announcement.group()),
                        announcement.norm(),
                        getContainingTask()
                                .getEnvironment()
                                .getTaskManagerInfo()
                                .getTaskManagerExternalAddress()));
    }

    /** Bytes of a contribution to a server that must leave this process. */
    private long leaving(int server) {
        LocalExchange exchange = LocalExchange.of(job.run());
        long bytes = 0;
        for (int block = 0; block < job.slices().count(); block++) {
            int shard = job.shard(new ShardId(server, block));
            boolean here = exchange != null && exchange.reads(LoopGraph.SHARDS, shard);
            bytes += here ? 0 : (long) Float.BYTES * job.slices().length(block);
        }
        return bytes;
    }

    @Override
    public void compute(Work.Task task) {
        computer.start(task);
    }

    @Override
    public void computed(Work.Task task, Work.Result result, GradientCost effort) {
        mailbox.execute(
                () -> {
                    if (!ended) {
                        if (job.training().plan().measuresEffort()) {
                            report(
                                    new ShardReport.Computed(
                                            task.round(), task.group(), task.worker(), effort));
                        }
                        workers[task.group()].computed(task, result);
                    }
                },
                "gradient of worker %s in round %s",
                task.worker(),
                task.round());
    }

    @Override
    public void faulted(Work.Task task, ParticipantException fault) {
        CodeFault told = CodeFault.of(task.round(), task.worker(), fault);
        mailbox.execute(
                () -> {
                    if (!ended) {
                        report(new ShardReport.Raised(task.group(), told));
                    }
                },
                "fault of worker %s in round %s",
                task.worker(),
                task.round());
    }

    private void report(ShardReport report) {
        output.collect(REPORTS, new StreamRecord<>(report));
    }

    @Override
    public void failed(Work.Task task, Throwable cause) {
        fail("worker " + task.worker() + " failed in round " + task.round(), cause);
    }

    /** Fails the job, unless its final model exists. Called on other threads. */
    final void fail(String what, Throwable cause) {
        mailbox.execute(
                () -> {
                    if (!ended) {
                        throw new IllegalStateException(what, cause);
                    }
                    LOG.warn("after the final model, {}", what, cause);
                },
                "%s",
                what);
    }

    @Override
    public void send(GradientBlock block) {
        output.collect(new StreamRecord<>(block));
    }

    /** True once no more models are accepted. */
    final boolean ended() {
        return ended;
    }

    /** Stops accepting models. */
    final void end() {
        // The final model exists: running computations are for rounds that have closed.
        ended = true;
        List<GpuMemory> gpus = computer.gpuMemory();
        if (!gpus.isEmpty()) {
            report(new ShardReport.OnGpus(0, gpus));
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        for (Workers server : workers) {
            server.store();
        }
    }

    @Override
    public void close() throws Exception {
        // First remove what the next attempt would find, even if later steps throw.
        if (reader != null) {
            reader.close();
        }
        if (computer != null) {
            computer.close();
        }
        super.close();
    }
}

package dev.levee.operators.flink.internal.runtime;

import dev.levee.connectors.kafka.job.VersionPart;
import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.kafka.PublishedVersion;
import dev.levee.operators.flink.internal.loop.LoopTail;
import dev.levee.operators.flink.internal.loop.RunClock;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.flink.internal.runtime.coordinator.ControlWatch;
import dev.levee.operators.flink.internal.runtime.coordinator.CoordinatorMetrics;
import dev.levee.operators.flink.internal.runtime.operator.KeyedStates;
import dev.levee.operators.rounds.Control;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.Permission;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.SumTree;
import dev.levee.operators.rounds.coordinator.Coordinator;
import dev.levee.operators.rounds.coordinator.CoordinatorMemory;
import dev.levee.operators.rounds.coordinator.CoordinatorState;
import dev.levee.operators.rounds.coordinator.RoundOutput;
import dev.levee.operators.rounds.fault.CodeFault;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.report.ExchangeReport;
import dev.levee.operators.rounds.report.RoundTrace;
import dev.levee.operators.rounds.report.Takeover;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.transfer.OrderedTransfers;
import dev.levee.operators.rounds.transfer.SumScheduler;

import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

import java.util.BitSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Runs the round coordinators; each is in the subtask that owns its server's key. */
final class CoordinatorOperator extends AbstractStreamOperator<RunEvent>
        implements OneInputStreamOperator<ShardReport, RunEvent> {
    private static final long serialVersionUID = 1L;

    static final OutputTag<VersionPart> VERSIONS =
            new OutputTag<>("versions", RecordKind.PART.asType(VersionPart.class));

    private final LoopJob job;
    private final transient MailboxExecutor mailbox;
    private final TreeMap<Integer, Server> servers = new TreeMap<>();
    private transient KeyedStates<CoordinatorState> states;
    private transient KeyedStates<OrderedTransfers.State> transferStates;

    /** Null without a replica. */
    private transient StandbyCoordinators standby;

    private transient LoopTail tail;
    private transient ControlWatch control;

    CoordinatorOperator(StreamOperatorParameters<RunEvent> parameters, LoopJob job) {
        super(parameters);
        this.job = job;
        this.mailbox = parameters.getMailboxExecutor();
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        states =
                new KeyedStates<>(
                        this, "coordinator", RecordKind.COORDINATOR.asType(CoordinatorState.class));
        if (job.training().admission().ordered()) {
            transferStates =
                    new KeyedStates<>(
                            this,
                            "transfers",
                            RecordKind.TRANSFERS.asType(OrderedTransfers.State.class));
        }
        if (job.training().topology().standby() != null) {
            standby = new StandbyCoordinators(this, job);
        }
    }

    @Override
    public void open() throws Exception {
        super.open();
        tail = new LoopTail(job.run(), getRuntimeContext(), getProcessingTimeService());
        for (int server = 0; server < job.servers(); server++) {
            boolean own = states.owns(job.coordinatorKeys()[server]);
            if (own && standby == null) {
                servers.put(server, new Server(server, state(server)));
            } else if (own) {
                standby.await(server, state(server));
            }
        }
        for (Server server : servers.values()) {
            begin(server, false);
        }
        String uri = job.training().plan().control();
        if (uri != null && !servers.isEmpty()) {
            control = new ControlWatch(uri, this::found);
        }
    }

    /**
     * Starts a coordinator.
     *
     * @param behind true if the server has lost rounds and repeats them
     */
    private void begin(Server server, boolean behind) throws Exception {
        server.act(server.coordinator::restart);
        server.plant();
        if (transferStates != null) {
            OrderedTransfers.State state = transferStates.get(job.coordinatorKeys()[server.server]);
            OrderedTransfers.State known = state == null ? OrderedTransfers.State.EMPTY : state;
            server.order(behind ? known.withoutReports() : known);
        }
    }

    private void started(int id, StandbyCoordinators.Start start) throws Exception {
        Server server = new Server(id, start.state());
        servers.put(id, server);
        begin(server, start.behind());
        start.waiting().forEach(server::told);
    }

    private CoordinatorState state(int server) throws Exception {
        CoordinatorState state = states.get(job.coordinatorKeys()[server]);
        if (state == null) {
            state = CoordinatorState.initial(job.training(), job.slices(), server);
        }
        BitSet own = new BitSet();
        own.set(job.memory(server));
        Optional<PublishedVersion> published = job.published(new BitSet(), own);
        long version = published.map(each -> job.version(each.version())).orElse(-1L);
        if (version <= state.round()) {
            return state;
        }
        // The last decided round may not have been reported yet; the recorder skips rounds that it
        // already has.
        long from = Math.max(0, job.training().moment(state.round()).iteration() - 1);
        for (RoundReport each :
                job.edge().rounds(job.memory(server), from, published.orElseThrow())) {
            collect(new RunEvent.RoundDone(server, each));
        }
        return CoordinatorState.adopted(
                job.training(),
                job.slices(),
                server,
                version,
                published.orElseThrow().memory(job.memory(server)));
    }

    private void found(Control next) {
        mailbox.execute(() -> servers.values().forEach(server -> server.found(next)), "control");
    }

    @Override
    public void processElement(StreamRecord<ShardReport> record) throws Exception {
        ShardReport report = record.getValue();
        int id = report.shard().server();
        if (standby == null || !standby.awaits(id)) {
            servers.get(id).told(report);
            return;
        }
        Optional<StandbyCoordinators.Start> start = standby.take(id, report);
        if (start.isPresent()) {
            started(id, start.get());
        }
    }

    /** The coordinator of one server, with its timer and its metrics. */
    private final class Server implements RoundOutput {
        private final int server;
        private final Coordinator coordinator;
        private final CoordinatorMetrics roundMetrics;

        /** Null if contributions are sent as soon as they are ready. */
        private OrderedTransfers transfers;

        /** Null if sums of hosts are not added up in transit. */
        private SumScheduler sums;

        /** The earliest deadline that a timer is set for. */
        private long timerAt = Long.MAX_VALUE;

        private Server(int server, CoordinatorState state) {
            this.server = server;
            coordinator =
                    new Coordinator(
                            job.training(),
                            job.run(),
                            job.slices(),
                            server,
                            state,
                            job.edge().patient(),
                            this,
                            new Coordinator.Clocks(RunClock.WALL, RunClock.MONOTONIC));
            coordinator.runsOn(getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks());
            roundMetrics =
                    new CoordinatorMetrics(
                            job.metrics(getMetricGroup(), server),
                            coordinator,
                            job.training(),
                            getContainingTask()
                                    .getEnvironment()
                                    .getTaskManagerInfo()
                                    .getConfiguration()
                                    .get(CoordinatorMetrics.MOST_WORKERS));
        }

        /** Starts ordering transfers, from a state. */
        private void order(OrderedTransfers.State state) {
            transfers =
                    new OrderedTransfers(
                            job.training(),
                            server,
                            job.slices().count(),
                            state,
                            coordinator,
                            coordinator::report,
                            permission -> tail.offer(Permission.class, permission),
                            RunClock.MONOTONIC);
            roundMetrics.transfers(transfers::counts);
            act(transfers::restart);
        }

        /** Starts choosing trees of sums. */
        private void plant() {
            if (job.training().admission().tree()) {
                int subtasks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
                long round = coordinator.round();
                sums = job.sums(server, subtasks, round, tree -> tail.offer(SumTree.class, tree));
            }
        }

        private void told(ShardReport report) {
            if (standby != null) {
                standby.count(server, report);
            }
            act(() -> report(report));
        }

        private void report(ShardReport report) {
            if (report instanceof ShardReport.Tested tested) {
                collect(new RunEvent.Tested(server, tested.score()));
            } else if (report instanceof ShardReport.OnGpus onGpus) {
                collect(new RunEvent.OnGpus(server, onGpus.memory()));
            } else if (sums != null && sums.report(report)) {
                LOG.debug("{}", report);
            } else if (transfers == null) {
                coordinator.report(report);
            } else {
                transfers.report(report);
            }
        }

        private void act(Runnable action) {
            try {
                action.run();
            } catch (RunFailedException e) {
                throw new SuppressRestartsException(e);
            }
            roundMetrics.reported();
            long due = coordinator.deadline().orElse(Long.MAX_VALUE);
            // Later deadlines wait for the timer that is set: a timer stays in memory until its
            // time, which may be thousands of rounds.
            if (due < timerAt) {
                timerAt = due;
                long micros = Math.max(0, due - RunClock.MONOTONIC.getAsLong());
                // Timers are relative to the current time, so that steps of the wall clock have no
                // effect.
                long now = getProcessingTimeService().getCurrentProcessingTime();
                getProcessingTimeService()
                        .registerTimer(now + micros / 1000 + 1, time -> timer(due));
            }
        }

        /** A timer that fires early is set again; one that was overtaken does nothing. */
        private void timer(long setFor) {
            if (setFor == timerAt) {
                timerAt = Long.MAX_VALUE;
                act(coordinator::tick);
            }
        }

        private void found(Control next) {
            if (coordinator.control(next)) {
                LOG.info("from round {} on: {}", coordinator.moment().iteration() + 1, next);
            }
        }

        @Override
        public void instruct(Instruction instruction) {
            tail.offer(Instruction.class, instruction);
        }

        @Override
        public void tell(SumNotice notice) {
            job.edge()
                    .tell(
                            notice,
                            told -> tail.offer(SumNotice.class, told),
                            told ->
                                    output.collect(
                                            VERSIONS,
                                            new StreamRecord<>(new VersionPart.Told(told))));
        }

        @Override
        public void finished(RoundReport report) {
            if (!report.refused().isEmpty()) {
                LOG.warn("round {} changed nothing: {}", report.round() + 1, report.refused());
            }
            roundMetrics.finished(report);
            collect(new RunEvent.RoundDone(server, report));
        }

        @Override
        public void traced(RoundReport report, RoundTrace trace) {
            collect(new RunEvent.Traced(server, report, trace));
        }

        @Override
        public void measured(ExchangeReport report) {
            collect(new RunEvent.Exchanged(server, report));
        }

        @Override
        public void takenOver(Takeover takeover) {
            roundMetrics.takenOver(takeover);
            collect(new RunEvent.TakenOver(takeover));
        }

        @Override
        public void raised(CodeFault fault) {
            collect(new RunEvent.Raised(server, fault));
        }

        @Override
        public void opened(Supplier<CoordinatorMemory> memory) {
            job.edge()
                    .publish(
                            () -> new VersionPart.Memory(server, memory.get()),
                            part -> output.collect(VERSIONS, new StreamRecord<>(part)));
        }
    }

    private void collect(RunEvent event) {
        output.collect(new StreamRecord<>(event));
    }

    @Override
    public void finish() throws Exception {
        servers.forEach(
                (id, server) -> {
                    collect(new RunEvent.Counted(id, server.coordinator.counts()));
                    if (server.transfers != null) {
                        collect(new RunEvent.Transferred(id, server.transfers.counts()));
                    }
                    if (standby != null) {
                        collect(new RunEvent.Replicated(id, standby.counts(id)));
                    }
                });
        super.finish();
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        for (Server each : servers.values()) {
            states.put(job.coordinatorKeys()[each.server], each.coordinator.snapshot());
            if (each.transfers != null) {
                transferStates.put(job.coordinatorKeys()[each.server], each.transfers.snapshot());
            }
        }
        if (standby != null) {
            standby.snapshot();
        }
    }

    @Override
    public void close() throws Exception {
        if (tail != null) {
            tail.close();
        }
        if (control != null) {
            control.close();
        }
        super.close();
    }
}

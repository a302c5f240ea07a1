package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.kafka.Adoption;
import dev.levee.operators.flink.internal.kafka.VersionPart;
import dev.levee.operators.rounds.Control;
import dev.levee.operators.rounds.Coordinator;
import dev.levee.operators.rounds.CoordinatorMemory;
import dev.levee.operators.rounds.CoordinatorState;
import dev.levee.operators.rounds.Elasticity;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.RoundReport;
import dev.levee.operators.rounds.RunFailedException;
import dev.levee.operators.rounds.ShardReport;

import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

import java.util.Optional;
import java.util.OptionalLong;

/** The round coordinator; it lives in the subtask that owns its one key, all others are idle. */
final class CoordinatorOperator extends AbstractStreamOperator<RunEvent>
        implements OneInputStreamOperator<ShardReport, RunEvent>, Coordinator.Output {
    private static final long serialVersionUID = 1L;

    static final OutputTag<VersionPart> VERSIONS =
            new OutputTag<>("versions", RecordKind.PART.asType(VersionPart.class));

    private final LoopJob job;
    private final transient MailboxExecutor mailbox;
    private transient KeyedStates<CoordinatorState> states;
    private transient LoopTail tail;
    private transient Coordinator coordinator;
    private transient CoordinatorMetrics roundMetrics;
    private transient long timerAt;
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
    }

    @Override
    public void open() throws Exception {
        super.open();
        tail = new LoopTail(job.run(), getRuntimeContext(), getProcessingTimeService());
        if (!states.owns(LoopJob.COORDINATOR_KEY)) {
            return;
        }
        CoordinatorState state = states.get(LoopJob.COORDINATOR_KEY);
        if (state == null) {
            state = Coordinator.initial(job.training(), job.slices());
        }
        Optional<Adoption> published = job.published();
        if (published.isPresent() && published.get().version() > state.round()) {
            state = Coordinator.adopted(job.training(), job.slices(), published.get().memory());
        }
        coordinator =
                new Coordinator(
                        job.training(),
                        job.slices(),
                        state,
                        job.edge().patient(),
                        this,
                        RunClock.INSTANCE);
        coordinator.runsOn(getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks());
        roundMetrics = new CoordinatorMetrics(getMetricGroup(), coordinator, job.training());
        act(coordinator::restart);
        Elasticity elasticity = job.training().elasticity();
        if (elasticity != null && elasticity.control() != null) {
            control = new ControlWatch(elasticity.control(), this::found);
        }
    }

    private void found(Control next) {
        mailbox.execute(
                () -> {
                    if (coordinator.control(next)) {
                        LOG.info("from round {} on: {}", coordinator.round() + 1, next);
                    }
                },
                "control");
    }

    @Override
    public void processElement(StreamRecord<ShardReport> record) {
        act(() -> coordinator.report(record.getValue()));
    }

    private void act(Runnable action) {
        try {
            action.run();
        } catch (RunFailedException e) {
            throw new SuppressRestartsException(e);
        }
        OptionalLong deadline = coordinator.deadline();
        if (deadline.isPresent() && deadline.getAsLong() != timerAt) {
            timerAt = deadline.getAsLong();
            // One that was overtaken finds nothing due.
            getProcessingTimeService()
                    .registerTimer(timerAt / 1000 + 1, time -> act(coordinator::tick));
        }
    }

    @Override
    public void instruct(Instruction instruction) {
        tail.offer(Instruction.class, instruction);
    }

    @Override
    public void finished(RoundReport report) {
        roundMetrics.finished(report);
        output.collect(new StreamRecord<>(new RunEvent.RoundDone(report)));
    }

    @Override
    public void opened(CoordinatorMemory memory) {
        job.edge()
                .publish(
                        () -> new VersionPart.Memory(memory),
                        part -> output.collect(VERSIONS, new StreamRecord<>(part)));
    }

    @Override
    public void finish() throws Exception {
        if (coordinator != null) {
            output.collect(new StreamRecord<>(new RunEvent.Counted(coordinator.counts())));
        }
        super.finish();
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        if (coordinator != null) {
            states.put(LoopJob.COORDINATOR_KEY, coordinator.snapshot());
        }
    }

    @Override
    public void close() throws Exception {
        if (control != null) {
            control.close();
        }
        if (tail != null) {
            tail.close();
        }
        super.close();
    }
}

package dev.levee.operators.flink.internal.runtime;

import dev.levee.learners.Learner;
import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.loop.LocalExchange;
import dev.levee.operators.flink.internal.loop.LoopTail;
import dev.levee.operators.flink.internal.loop.RunClock;
import dev.levee.operators.flink.internal.runtime.operator.KeyedStates;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.StageMessage;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.participant.ComputeThreads;
import dev.levee.operators.rounds.participant.GradientComputer;
import dev.levee.operators.rounds.participant.LearnerSource;
import dev.levee.operators.rounds.participant.LocalVectors;
import dev.levee.operators.rounds.participant.ModelArrays;
import dev.levee.operators.rounds.pipeline.PipelineHost;
import dev.levee.operators.rounds.pipeline.PipelinedModel;
import dev.levee.operators.rounds.pipeline.StageId;
import dev.levee.operators.rounds.pipeline.StageShares;
import dev.levee.operators.rounds.pipeline.StageState;
import dev.levee.operators.rounds.training.Work;

import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs workers that are pipelines, and stages of pipelines, whose workers may be in other subtasks.
 * The second input receives messages between stages and workers, keyed by worker and stage;
 * outgoing messages use the loop edge. After a failure, every worker that has not answered repeats
 * its step. The only state of a stage is the momentum of its parameters. The task thread only
 * forwards messages.
 *
 * <p>If the training allows it, stages receive their parameters from the servers and send them
 * blocks of the gradient, so that no slot holds a whole vector. A worker answers when all its
 * stages have reported that they have sent their blocks. These reports use the loop edge, which
 * begins at the sources. So if a stage sends a report after a barrier, the worker also reads it
 * after this barrier. Therefore, if a worker has answered in a checkpoint, the servers have the
 * blocks of all its stages in that checkpoint.
 */
final class PipelinedWorkersOperator extends AbstractWorkersOperator
        implements TwoInputStreamOperator<LoopMessage, StageMessage, GradientBlock>,
                BoundedMultiInput,
                PipelineHost.Output {
    private static final long serialVersionUID = 1L;

    private final PipelinedModel model;
    private final transient StageShares shares;
    private transient KeyedStates<StageState> states;
    private transient LoopTail tail;
    private transient ExecutorService computing;
    private transient PipelineHost host;
    private transient LocalExchange.Reader messages;

    PipelinedWorkersOperator(
            StreamOperatorParameters<GradientBlock> parameters, LoopJob job, PipelinedModel model) {
        super(parameters, job);
        this.model = model;
        shares = StageShares.of(job.training(), model);
    }

    @Override
    LocalVectors held(ModelArrays arrays) {
        return shares.workers(arrays);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public void setKeyContextElement2(StreamRecord record) {
        // Messages use no keyed state.
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        states = new KeyedStates<>(this, "stage", RecordKind.STAGE_STATE.asType(StageState.class));
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        for (Map.Entry<StageId, StageState> each : host.states().entrySet()) {
            states.put(key(each.getKey()), each.getValue());
        }
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) throws Exception {
        super.notifyCheckpointComplete(checkpoint);
        clear();
    }

    @Override
    public void notifyCheckpointAborted(long checkpoint) throws Exception {
        super.notifyCheckpointAborted(checkpoint);
        clear();
    }

    private void clear() throws Exception {
        for (StageId each : host.states().keySet()) {
            states.clear(key(each));
        }
    }

    private int key(StageId id) {
        return job.stageKeys()[job.stage(id.stage(), id.worker())];
    }

    /** Restores the states of the stages of this subtask. */
    private Map<StageId, StageState> restored() throws Exception {
        Map<StageId, StageState> restored = new TreeMap<>();
        for (int stage = 0; stage < model.stages(); stage++) {
            for (int worker = 0; worker < job.workerKeys().length; worker++) {
                StageId id = new StageId(stage, worker);
                StageState state = states.owns(key(id)) ? states.get(key(id)) : null;
                if (state != null) {
                    restored.put(id, state);
                    states.clear(key(id));
                }
            }
        }
        return restored;
    }

    @Override
    public void open() throws Exception {
        tail = new LoopTail(job.run(), getRuntimeContext(), getProcessingTimeService());
        computing =
                Executors.newFixedThreadPool(
                        job.training().computeThreads(),
                        ComputeThreads.named(
                                "stages of "
                                        + getRuntimeContext()
                                                .getTaskInfo()
                                                .getTaskNameWithSubtasks()));
        messages = LocalExchange.reader(job.run(), LoopGraph.STAGES, getRuntimeContext());
        BitSet here = new BitSet();
        for (int index = 0; index < job.stageKeys().length; index++) {
            if (KeyedStates.owns(getRuntimeContext().getTaskInfo(), job.stageKeys()[index])) {
                messages.read(index);
                here.set(index / job.workerKeys().length);
            }
        }
        here.clear(model.stages());
        host =
                new PipelineHost(
                        model,
                        shares,
                        shares.hearing(here),
                        job.run(),
                        RunClock.WALL,
                        computing,
                        this);
        host.restore(restored());
        for (int stage = 0; stage < model.stages(); stage++) {
            int each = stage;
            getMetricGroup()
                    .addGroup("stage", Integer.toString(stage))
                    .gauge("peakBytes", (Gauge<Long>) () -> host.peakBytes()[each]);
        }
        super.open();
    }

    /** Creates a computer with a thread for each worker, which waits for the worker's stages. */
    @Override
    GradientComputer computer(String name, int workers) {
        return new GradientComputer(
                job.training(),
                name,
                this,
                Math.max(1, workers),
                shares.trainable(),
                new LearnerSource() {
                    @Override
                    public Learner take(Work.Task task) {
                        return host.learner(
                                task.worker(),
                                shares.version(task.round()),
                                task.kept().isEmpty() ? -1 : task.answered());
                    }

                    @Override
                    public void giveBack(Learner learner) {}

                    @Override
                    public void close() {}
                });
    }

    @Override
    public void processElement1(StreamRecord<LoopMessage> record) {
        take(record);
    }

    @Override
    public void processElement2(StreamRecord<StageMessage> record) {
        try {
            host.receive(record.getValue());
        } catch (RunFailedException e) {
            throw new SuppressRestartsException(e);
        }
    }

    @Override
    public void send(StageMessage message) {
        tail.offer(StageMessage.class, message);
    }

    @Override
    public void end(List<GradientBlock> blocks, StageMessage.Ended message, Runnable remember) {
        if (blocks.isEmpty()) {
            send(message);
            return;
        }
        try {
            mailbox.execute(
                    () -> {
                        if (!ended()) {
                            remember.run();
                            blocks.forEach(this::send);
                        }
                        send(message);
                    },
                    "gradient of stage %s of worker %s",
                    message.from(),
                    message.worker());
        } catch (RejectedExecutionException e) {
            LOG.debug("the task ended before stage {} had sent its gradient", message.from());
        }
    }

    @Override
    public void failed(StageMessage.Begin step, Throwable cause) {
        try {
            fail("stage " + step.stage() + " of worker " + step.worker() + " failed", cause);
        } catch (RejectedExecutionException e) {
            LOG.debug("the task ended before it heard of a failure", cause);
        }
    }

    @Override
    public void endInput(int input) {
        end();
    }

    @Override
    public void close() throws Exception {
        if (tail != null) {
            tail.close();
        }
        super.close();
        if (host != null) {
            ComputeThreads.end(computing, host::close);
            report(host.peakBytes());
        }
        if (messages != null) {
            messages.close();
        }
    }

    private static void report(long[] peakBytes) {
        for (int stage = 0; stage < peakBytes.length; stage++) {
            if (peakBytes[stage] > 0) {
                LOG.info("tensors of stage {} took {} bytes at most", stage, peakBytes[stage]);
            }
        }
    }
}

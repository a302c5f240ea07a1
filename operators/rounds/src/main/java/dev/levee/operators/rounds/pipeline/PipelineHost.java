package dev.levee.operators.rounds.pipeline;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.learners.layers.StagePasses;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.StageMessage;
import dev.levee.operators.rounds.vector.Slices;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

/**
 * Runs the stages of pipelines in one process, and tracks the steps that its workers have begun. A
 * worker computes a gradient with a {@link #learner} that sends the batch through local and remote
 * stages, and waits for the result. Steps are not restored: after a failure, workers begin them
 * again. Between steps, only the contributions that stages have sent are kept, for work that
 * continues from them. Knows no engine; may be used by several threads.
 */
public final class PipelineHost implements AutoCloseable {
    /** Receives messages. */
    public interface Output {
        /** Sends a message. Messages to the same stage of the same worker arrive in order. */
        void send(StageMessage message);

        /**
         * Sends a stage's results after all its earlier messages. A checkpoint in which the worker
         * has the message must also contain the blocks at their servers and the stage's new state.
         *
         * @param blocks blocks for the servers
         * @param ended message to the worker, after the blocks
         * @param remember stores the stage's state; called when the blocks are sent
         */
        void end(List<GradientBlock> blocks, StageMessage.Ended ended, Runnable remember);

        /** A pass has failed; its step never ends. */
        void failed(StageMessage.Begin step, Throwable cause);
    }

    /** A step of a worker, or of one of its stages. */
    private record Key(int worker, long step, int stage) {
        private static Key of(StageMessage message) {
            return new Key(message.worker(), message.step(), message.stage());
        }
    }

    /** A stage in one step, and its work once it has begun. */
    private static final class Running {
        private final PipelineStage stage;
        private StageWork work;
        private long since;

        private Running(PipelineStage stage) {
            this.stage = stage;
        }
    }

    private final PipelinedModel model;
    private final StageShares shares;
    private final StageParameters parameters;
    private final StageStates states = new StageStates();
    private final long run;
    private final LongSupplier micros;
    private final Executor computing;
    private final Output output;
    private final boolean[] hasParameters;
    private final Map<Key, Running> stages = new HashMap<>();
    private final Map<Key, PipelineStep> steps = new HashMap<>();
    private final List<ArrayDeque<StagePasses>> free = new ArrayList<>();
    private final long[] peakBytes;
    private long lastStep;

    /**
     * Creates a host whose stages wait for messages.
     *
     * @param shares the parts that each stage sends
     * @param here local stages that receive their parameters from the servers
     * @param run id of the run in its records
     * @param micros clock, microseconds since the epoch
     * @param computing runs passes
     */
    public PipelineHost(
            PipelinedModel model,
            StageShares shares,
            BitSet here,
            long run,
            LongSupplier micros,
            Executor computing,
            Output output) {
        this.model = model;
        this.shares = shares;
        parameters = new StageParameters(shares, here);
        this.run = run;
        this.micros = micros;
        this.computing = computing;
        this.output = output;
        hasParameters = new boolean[model.stages()];
        peakBytes = new long[model.stages()];
        for (int stage = 0; stage < model.stages(); stage++) {
            hasParameters[stage] = model.stage(stage).layout().size() > 0;
            free.add(new ArrayDeque<>());
        }
    }

    /**
     * Creates a learner that computes a gradient of a local worker.
     *
     * @param version the version of the model that stages receive from the servers; −1 if the
     *     worker sends parameters
     * @param after the round whose contribution it continues from; −1 if it continues from none
     */
    public Learner learner(int worker, long version, long after) {
        return new PipelineLearner(model, worker, version, after, this);
    }

    /** Restores the states of local stages. */
    public void restore(Map<StageId, StageState> remembered) {
        states.restore(remembered);
    }

    /** The states of local stages, for a checkpoint. */
    public Map<StageId, StageState> states() {
        return states.snapshot();
    }

    /** Handles a block of the server's model, for all local stages. */
    private void model(ModelBlock block) {
        if (block.header().run() != run) {
            return;
        }
        BitSet complete = parameters.add(block);
        if (!complete.isEmpty()) {
            List.copyOf(stages.entrySet()).stream()
                    .filter(each -> complete.get(each.getKey().stage()))
                    .forEach(each -> start(each.getKey(), each.getValue()));
        }
    }

    /** Handles a message to a local stage or worker. */
    public synchronized void receive(StageMessage message) {
        if (message instanceof StageMessage.Model model) {
            model(model.block());
            return;
        }
        Key key = Key.of(message);
        if (message.stage() == model.stages()) {
            PipelineStep step = steps.get(key);
            // Stages of an abandoned step may still send messages.
            if (step != null) {
                step.receive(message);
            }
            return;
        }
        if (message instanceof StageMessage.Begin begin && shares.keeps(begin.stage())) {
            states.begin(begin);
        }
        Running running = stages.computeIfAbsent(key, each -> new Running(stage(message.stage())));
        running.stage.receive(message);
        start(key, running);
    }

    private PipelineStage stage(int stage) {
        return new PipelineStage(stage, model.stages(), model.order(), hasParameters[stage]);
    }

    private void start(Key key, Running running) {
        long awaited = running.stage.awaits();
        if (awaited >= 0) {
            running.stage.parameters(parameters.of(key.stage(), awaited));
        }
        PipelineStage.Ready ready = running.stage.take();
        if (ready == null) {
            return;
        }
        try {
            computing.execute(() -> compute(key, running, ready));
        } catch (RejectedExecutionException e) {
            stages.remove(key);
        }
    }

    private void compute(Key key, Running running, PipelineStage.Ready ready) {
        StageMessage.Begin begin = running.stage.begin();
        try {
            if (running.work == null) {
                running.since = micros.getAsLong();
                running.work = new StageWork(begin, takePasses(key.stage()), model.stages());
                running.work.passes().begin(running.stage.parameters());
            }
            float[] slope = running.work.run(ready, output::send);
            if (!computed(key, running, ready, slope)) {
                return;
            }
            Gradient gradient = running.work.gradient();
            giveBack(key.stage(), running.work.passes());
            StageShares.Share share = shares.of(key.stage());
            StageMessage.Ended ended = running.work.share(share, gradient, output::send);
            float[] sent = sent(begin, gradient.values());
            output.end(
                    blocks(begin, share, sent, running.since), ended, () -> remember(begin, sent));
        } catch (Throwable e) {
            output.failed(begin, e);
        }
    }

    private float[] sent(StageMessage.Begin begin, float[] gradient) {
        float[] before = shares.keeps(begin.stage()) ? states.before(begin) : null;
        return shares.sent(begin.stage(), before, gradient);
    }

    private void remember(StageMessage.Begin begin, float[] sent) {
        if (shares.keeps(begin.stage())) {
            states.end(begin, sent);
        }
    }

    /** The blocks that a stage sends; only the worker knows the loss. */
    private List<GradientBlock> blocks(
            StageMessage.Begin begin, StageShares.Share share, float[] values, long since) {
        Slices slices = shares.slices();
        long now = micros.getAsLong();
        return share.sent().stream()
                .mapToObj(
                        block ->
                                new GradientBlock(
                                        Header.gradient(
                                                run,
                                                begin.version(),
                                                begin.worker(),
                                                new ShardId(0, block)),
                                        1,
                                        Double.NaN,
                                        since,
                                        now,
                                        values,
                                        share.held().at(slices.offset(block)),
                                        slices.length(block),
                                        null,
                                        null,
                                        null))
                .toList();
    }

    /** Handles a completed pass; returns true if it was the last of its step. */
    private synchronized boolean computed(
            Key key, Running running, PipelineStage.Ready ready, float[] slope) {
        running.stage.done();
        if (slope != null) {
            running.stage.backward(ready.pass().microBatch(), slope);
        }
        if (running.stage.finished()) {
            stages.remove(key);
            return true;
        }
        start(key, running);
        return false;
    }

    private StagePasses takePasses(int stage) {
        synchronized (free) {
            if (!free.get(stage).isEmpty()) {
                return free.get(stage).pop();
            }
        }
        return model.stage(stage).newPasses(model.recompute());
    }

    private void giveBack(int stage, StagePasses passes) {
        passes.end();
        synchronized (free) {
            peakBytes[stage] = Math.max(peakBytes[stage], passes.peakBytes());
            free.get(stage).push(passes);
        }
    }

    /** For each stage, the most bytes that its tensors took here in a step; 0 if none has run. */
    public long[] peakBytes() {
        synchronized (free) {
            return peakBytes.clone();
        }
    }

    /**
     * Begins a step of a local worker.
     *
     * @param version the version of the model that stages receive from the servers; −1 if the
     *     worker sends parameters
     * @param after the round whose contribution it continues from, −1 if it continues from none
     * @param parameters the parameters of the whole model, if the worker sends them
     * @return completes with the worker's part of the gradient; cancel it if it is no longer needed
     */
    public CompletableFuture<Gradient> gradient(
            int worker, long version, long after, float[] parameters, Batch batch, long seed) {
        PipelineStep step;
        Key key;
        synchronized (this) {
            lastStep++;
            key = new Key(worker, lastStep, model.stages());
            step = new PipelineStep(model, shares, worker, lastStep);
            steps.put(key, step);
        }
        step.gradient().whenComplete((gradient, failure) -> end(key));
        step.begin(version, after, parameters, batch, seed, output::send);
        return step.gradient();
    }

    private synchronized void end(Key key) {
        steps.remove(key);
    }

    /** Frees the memory of stages; no computation may be running. */
    @Override
    public void close() {
        synchronized (free) {
            free.forEach(each -> each.forEach(StagePasses::close));
            free.forEach(ArrayDeque::clear);
        }
        synchronized (this) {
            for (Running each : stages.values()) {
                if (each.work != null) {
                    each.work.passes().close();
                }
            }
            stages.clear();
        }
    }
}

package dev.levee.operators.rounds.pipeline;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.learners.layers.StagePasses;
import dev.levee.operators.rounds.StageMessage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The stages of pipelines that run in one place, and the steps that its workers have begun. A
 * worker computes a gradient with a {@link #learner} that sends the batch through stages wherever
 * they are, and waits for what comes back. Nothing is kept from step to step, so there is nothing
 * to restore: after a failure workers begin their steps anew. Knows no engine; may be used by
 * several threads.
 */
public final class PipelineHost implements AutoCloseable {
    /** Where messages go. */
    public interface Output {
        /** Sends a message; two to the same stage of the same worker arrive in their order. */
        void send(StageMessage message);

        /** A pass has failed; its step never ends. */
        void failed(StageMessage.Begin step, Throwable cause);
    }

    /** A step of a worker, or of one of its stages. */
    private record Key(int worker, long step, int stage) {
        private static Key of(StageMessage message) {
            return new Key(message.worker(), message.step(), message.stage());
        }
    }

    /** A stage in one step, and its work once that has begun. */
    private static final class Running {
        private final PipelineStage stage;
        private StageWork work;

        private Running(PipelineStage stage) {
            this.stage = stage;
        }
    }

    private final PipelinedModel model;
    private final Executor computing;
    private final Output output;
    private final boolean[] hasParameters;
    private final Map<Key, Running> stages = new HashMap<>();
    private final Map<Key, PipelineStep> steps = new HashMap<>();
    private final List<ArrayDeque<StagePasses>> free = new ArrayList<>();
    private final long[] peakBytes;
    private long lastStep;

    /**
     * A place without stages; they come with their messages.
     *
     * @param computing runs passes
     */
    public PipelineHost(PipelinedModel model, Executor computing, Output output) {
        this.model = model;
        this.computing = computing;
        this.output = output;
        hasParameters = new boolean[model.stages()];
        peakBytes = new long[model.stages()];
        for (int stage = 0; stage < model.stages(); stage++) {
            hasParameters[stage] = model.stage(stage).layout().size() > 0;
            free.add(new ArrayDeque<>());
        }
    }

    /** What computes gradients of a worker that lives here. */
    public Learner learner(int worker) {
        return new PipelineLearner(model, worker, this);
    }

    /** Takes a message to a stage or a worker that lives here. */
    public synchronized void receive(StageMessage message) {
        Key key = Key.of(message);
        if (message.stage() == model.stages()) {
            PipelineStep step = steps.get(key);
            // One that was given up hears of its stages in vain.
            if (step != null) {
                step.receive(message);
            }
            return;
        }
        Running running = stages.computeIfAbsent(key, each -> new Running(stage(message.stage())));
        running.stage.receive(message);
        start(key, running);
    }

    private PipelineStage stage(int stage) {
        return new PipelineStage(stage, model.stages(), model.order(), hasParameters[stage]);
    }

    private void start(Key key, Running running) {
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
                running.work =
                        new StageWork(
                                begin,
                                running.stage.parameters(),
                                takePasses(key.stage()),
                                model.stages());
            }
            float[] slope = running.work.run(ready, output::send);
            if (!computed(key, running, ready, slope)) {
                return;
            }
            running.work.end(output::send);
            giveBack(key.stage(), running.work.passes());
        } catch (Throwable e) {
            output.failed(begin, e);
        }
    }

    /** A pass has run; true if it was the last of its step. */
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
        synchronized (free) {
            peakBytes[stage] = Math.max(peakBytes[stage], passes.peakBytes());
            free.get(stage).push(passes);
        }
    }

    /** The most bytes that tensors of each stage took here in a step; 0 where none has run. */
    public long[] peakBytes() {
        synchronized (free) {
            return peakBytes.clone();
        }
    }

    /**
     * Begins a step of a worker that lives here.
     *
     * @param parameters of the whole model
     * @return completes with the gradient; cancel it if nobody waits any more
     */
    public CompletableFuture<Gradient> gradient(
            int worker, float[] parameters, Batch batch, long seed) {
        PipelineStep step;
        Key key;
        synchronized (this) {
            lastStep++;
            key = new Key(worker, lastStep, model.stages());
            step = new PipelineStep(model, worker, lastStep);
            steps.put(key, step);
        }
        step.gradient().whenComplete((gradient, failure) -> end(key));
        step.begin(parameters, batch, seed, output::send);
        return step.gradient();
    }

    private synchronized void end(Key key) {
        steps.remove(key);
    }

    /** Frees the memory of stages; nothing may be computing any more. */
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

package dev.levee.operators.rounds.pipeline;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Gradient;
import dev.levee.learners.GradientMean;
import dev.levee.operators.rounds.StageMessage;
import dev.levee.operators.rounds.StageMessage.Content;
import dev.levee.operators.rounds.StageMessage.Floats;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The worker's side of one step. It sends the batch to the stages, and assembles the part of the
 * gradient that the worker sends on. Single-threaded.
 */
final class PipelineStep {
    private final PipelinedModel model;
    private final StageShares shares;
    private final int worker;
    private final long number;
    private final CompletableFuture<Gradient> gradient = new CompletableFuture<>();
    private final FloatParts parts = new FloatParts();
    private int missing;
    private int running;
    private double loss;

    /**
     * The worker's part of the gradient; allocated at its first message, when the parameters have
     * been sent and freed.
     */
    private float[] values;

    PipelineStep(PipelinedModel model, StageShares shares, int worker, long number) {
        this.model = model;
        this.shares = shares;
        this.worker = worker;
        this.number = number;
        missing = shares.worker().size();
        running = model.stages();
    }

    /**
     * Sends samples to the first stage, labels or targets to the last, and parameters to all.
     *
     * @param version the version of the model that stages receive from the servers; −1 if
     *     parameters are sent here
     * @param after the round whose contribution it continues from, −1 if it continues from none
     * @param parameters the parameters of the whole model, if they are sent here
     */
    void begin(
            long version,
            long after,
            float[] parameters,
            Batch batch,
            long seed,
            Consumer<StageMessage> out) {
        int[] ends = GradientMean.ends(batch.size(), model.parts(batch.size()));
        int last = model.stages() - 1;
        for (int stage = 0; stage <= last; stage++) {
            boolean answers = stage == last;
            out.accept(
                    new StageMessage.Begin(
                            worker,
                            number,
                            stage,
                            version,
                            after,
                            ends,
                            seed,
                            answers ? batch.labels() : null,
                            answers ? batch.targets() : null));
            if (version < 0) {
                float[] own = model.stage(stage).parameters(parameters);
                send(stage, Content.PARAMETERS, 0, own, 0, own.length, out);
            }
        }
        int width = batch.features().length / batch.size();
        for (int part = 0; part < ends.length; part++) {
            int from = part == 0 ? 0 : ends[part - 1];
            int length = (ends[part] - from) * width;
            send(0, Content.INPUTS, part, batch.features(), from * width, length, out);
        }
    }

    private void send(
            int stage,
            Content content,
            int part,
            float[] array,
            int from,
            int length,
            Consumer<StageMessage> out) {
        Floats.send(worker, number, stage, content, part, array, from, length, out);
    }

    /** Handles a message to the worker. */
    void receive(StageMessage message) {
        if (message instanceof Floats floats) {
            float[] own = parts.add(floats);
            if (own != null) {
                if (values == null) {
                    values = new float[shares.worker().size()];
                }
                shares.of(floats.part()).shared().copy(own, shares.worker(), values);
                missing -= own.length;
            }
        } else if (message instanceof StageMessage.Ended ended) {
            loss += ended.loss();
            running--;
        }
        if (running == 0 && missing == 0) {
            gradient.complete(new Gradient(values, loss));
        }
    }

    /** Completes with the worker's part of the gradient. */
    CompletableFuture<Gradient> gradient() {
        return gradient;
    }
}

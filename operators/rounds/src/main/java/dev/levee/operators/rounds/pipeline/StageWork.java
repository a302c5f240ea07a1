package dev.levee.operators.rounds.pipeline;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Gradient;
import dev.levee.learners.GradientMean;
import dev.levee.learners.layers.StagePasses;
import dev.levee.operators.placement.PipelineOrder.Pass;
import dev.levee.operators.rounds.StageMessage;
import dev.levee.operators.rounds.StageMessage.Content;

import java.util.Arrays;
import java.util.function.Consumer;

/** Computes the passes of a stage in one step, one at a time, and sends their results. */
final class StageWork {
    private final StageMessage.Begin begin;
    private final StagePasses passes;
    private final int stages;
    private final GradientMean mean;
    private final double[] losses;

    /** An array for the gradient of the next micro-batch; null if a new one is needed. */
    private float[] spare;

    /** Creates the work of a step, whose passes have not begun. */
    StageWork(StageMessage.Begin begin, StagePasses passes, int stages) {
        this.begin = begin;
        this.passes = passes;
        this.stages = stages;
        mean = new GradientMean(begin.ends());
        losses = new double[begin.ends().length];
    }

    StagePasses passes() {
        return passes;
    }

    /**
     * Runs a pass.
     *
     * @param out receives its outputs or gradients
     * @return the gradient by the outputs if this is the last stage, whose backward pass can run at
     *     once; else null
     */
    float[] run(PipelineStage.Ready ready, Consumer<StageMessage> out) {
        return ready.pass().forward()
                ? forward(ready.pass(), ready.values(), out)
                : backward(ready.pass(), ready.values(), out);
    }

    private float[] forward(Pass pass, float[] inputs, Consumer<StageMessage> out) {
        int microBatch = pass.microBatch();
        int from = microBatch == 0 ? 0 : begin.ends()[microBatch - 1];
        int to = begin.ends()[microBatch];
        long seed = GradientMean.seed(begin.seed(), microBatch);
        float[] outputs = passes.forward(microBatch, inputs, to - from, seed);
        if (begin.stage() < stages - 1) {
            send(begin.stage() + 1, Content.INPUTS, microBatch, outputs, out);
            return null;
        }
        float[] slope = new float[outputs.length];
        losses[microBatch] = passes.loss(outputs, answers(from, to), slope);
        return slope;
    }

    private Batch answers(int from, int to) {
        int numbers = begin.targets().length / begin.labels().length;
        return new Batch(
                new float[0],
                Arrays.copyOfRange(begin.labels(), from, to),
                Arrays.copyOfRange(begin.targets(), from * numbers, to * numbers));
    }

    private float[] backward(Pass pass, float[] slope, Consumer<StageMessage> out) {
        int microBatch = pass.microBatch();
        StagePasses.Backward made = passes.backward(microBatch, slope, spare);
        if (begin.stage() > 0) {
            send(begin.stage() - 1, Content.SLOPES, microBatch, made.slope(), out);
        }
        spare = mean.add(made.values(), losses[microBatch]);
        return null;
    }

    /** The stage's gradient; all passes must have run. */
    Gradient gradient() {
        return mean.mean();
    }

    /**
     * Sends the worker its part of the gradient.
     *
     * @return the message that ends the step for this stage
     */
    StageMessage.Ended share(
            StageShares.Share share, Gradient gradient, Consumer<StageMessage> out) {
        float[] values = gradient.values();
        float[] shared = values;
        if (share.shared().size() < values.length) {
            shared = new float[share.shared().size()];
            share.held().copy(values, share.shared(), shared);
        }
        send(stages, Content.GRADIENT, begin.stage(), shared, out);
        return new StageMessage.Ended(
                begin.worker(), begin.step(), stages, begin.stage(), gradient.loss());
    }

    private void send(
            int stage, Content content, int part, float[] values, Consumer<StageMessage> out) {
        StageMessage.Floats.send(
                begin.worker(), begin.step(), stage, content, part, values, 0, values.length, out);
    }
}

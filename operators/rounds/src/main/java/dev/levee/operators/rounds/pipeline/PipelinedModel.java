package dev.levee.operators.rounds.pipeline;

import dev.levee.learners.Learner;
import dev.levee.learners.WrappedModel;
import dev.levee.learners.layers.LayeredModel;
import dev.levee.operators.placement.PipelineOrder;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A model whose gradients may be computed by a pipeline of stages, in different places.
 * Micro-batches are summed in order, so a gradient has the same bits as that of {@link
 * #newLearner}, which computes the same micro-batches in one process. Dropout and batch
 * normalization work on micro-batches.
 *
 * @param model the whole model
 * @param lastLayers index of the last layer of each stage, in order
 * @param microBatches number of parts of a batch; a batch with fewer samples has fewer parts
 * @param order the order of a stage's passes; does not change the gradient
 * @param recompute true if forward passes keep only their inputs, and backward passes run them
 *     again; does not change the gradient
 */
public record PipelinedModel(
        LayeredModel model,
        List<Integer> lastLayers,
        int microBatches,
        PipelineOrder order,
        boolean recompute)
        implements WrappedModel {
    /** A model with more parameters than this (16 MiB) is large. */
    private static final int LARGE = 1 << 22;

    /**
     * Checks that the stages are the whole network.
     *
     * @throws IllegalArgumentException if they are not, or there are no micro-batches; one sentence
     */
    public PipelinedModel {
        lastLayers = List.copyOf(lastLayers);
        int size = model.layers();
        int before = -1;
        for (int last : lastLayers) {
            if (last <= before || last >= size) {
                throw new IllegalArgumentException(
                        "stages of %s must end with layers 0 to %d in order, got %s"
                                .formatted(model.name(), size - 1, lastLayers));
            }
            before = last;
        }
        if (before != size - 1) {
            throw new IllegalArgumentException(
                    "the last stage of %s must end with layer %d, got %s"
                            .formatted(model.name(), size - 1, lastLayers));
        }
        if (microBatches < 1) {
            throw new IllegalArgumentException(
                    "a batch needs at least 1 micro-batch, got " + microBatches);
        }
    }

    /** Number of stages. */
    public int stages() {
        return lastLayers.size();
    }

    /** Index of the first layer of a stage. */
    public int firstLayer(int stage) {
        return stage == 0 ? 0 : lastLayers.get(stage - 1) + 1;
    }

    /** Number of parameters of a stage's layers, with their buffers. */
    public int parameters(int stage) {
        return stage(stage).layout().size();
    }

    /** The layers of a stage. */
    LayeredModel.Stage stage(int stage) {
        return model.stage(firstLayer(stage), lastLayers.get(stage));
    }

    /**
     * True if whole vectors of the model, which evaluations use, may not fit into a slot's memory.
     */
    public boolean large() {
        return layout().size() > LARGE;
    }

    /** The stages of an evaluation: single layers, because they have the fewest parameters. */
    List<Integer> evaluated() {
        return IntStream.range(0, model.layers()).boxed().toList();
    }

    /** Most bytes of heap that an evaluation takes, in addition to the parameters of a layer. */
    public long evaluationBytes() {
        return model.evaluationBytes(evaluated());
    }

    /** Number of micro-batches for a number of samples. */
    int parts(int samples) {
        return Math.min(microBatches, samples);
    }

    /** A learner that computes all stages in one process; it evaluates stage by stage. */
    @Override
    public Learner newLearner() {
        return new UnsplitLearner(this);
    }
}

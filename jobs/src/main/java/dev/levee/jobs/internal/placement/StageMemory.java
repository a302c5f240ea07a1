package dev.levee.jobs.internal.placement;

import dev.levee.featureextraction.split.PlacementGraph;
import dev.levee.learners.layers.LayeredNetwork;
import dev.levee.learners.layers.NetworkStages;
import dev.levee.operators.rounds.pipeline.PipelinedModel;

import java.util.stream.IntStream;

/** What the stages of a pipeline need, as predicted from shapes. */
public final class StageMemory {
    private StageMemory() {}

    /**
     * The most bytes that the tensors of each stage take at a time.
     *
     * @param model a pipeline of a built-in network
     * @param batch samples of a step
     */
    public static long[] predicted(PipelinedModel model, int batch) {
        LayeredNetwork network = ((NetworkStages) model.model()).network();
        int parts = Math.min(model.microBatches(), batch);
        return IntStream.range(0, model.stages())
                .mapToLong(
                        stage ->
                                PlacementGraph.stageBytes(
                                        network,
                                        model.firstLayer(stage),
                                        model.lastLayers().get(stage),
                                        (batch - 1) / parts + 1,
                                        model.order().held(stage, model.stages(), parts),
                                        model.recompute()))
                .toArray();
    }
}

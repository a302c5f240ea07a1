package dev.levee.jobs.internal.placement;

import dev.levee.featureextraction.split.PlacementGraph;
import dev.levee.learners.MicroBatchModel;
import dev.levee.learners.Model;
import dev.levee.learners.WrappedModel;
import dev.levee.learners.layers.LayeredNetwork;
import dev.levee.learners.layers.NetworkStages;
import dev.levee.operators.rounds.pipeline.PipelinedModel;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Computes, from the shapes of tensors, the memory that the stages of a pipeline or a whole network
 * need.
 */
public final class StageMemory {
    /**
     * The largest memory that tensors of a part of a network need at a time.
     *
     * @param name the part's name, for messages
     */
    public record Part(String name, long bytes) {}

    private StageMemory() {}

    /**
     * The memory that each stage needs.
     *
     * @param model a pipeline of a built-in network
     * @param batch samples in a step
     */
    public static List<Part> parts(PipelinedModel model, int batch) {
        LayeredNetwork network = ((NetworkStages) model.model()).network();
        int parts = Math.min(model.microBatches(), batch);
        List<Part> all = new ArrayList<>();
        for (int stage = 0; stage < model.stages(); stage++) {
            int first = model.firstLayer(stage);
            int last = model.lastLayers().get(stage);
            all.add(
                    new Part(
                            "stage %d (layers %d to %d of %s)"
                                    .formatted(stage, first, last, network.name()),
                            PlacementGraph.stageBytes(
                                    network,
                                    first,
                                    last,
                                    (batch - 1) / parts + 1,
                                    model.order().held(stage, model.stages(), parts),
                                    model.recompute())));
        }
        return all;
    }

    /** The part that needs most memory. */
    public static Part largest(List<Part> parts) {
        return parts.stream().max(Comparator.comparingLong(Part::bytes)).orElseThrow();
    }

    /**
     * The memory that a network needs on one device.
     *
     * @param batch samples in a step
     * @return empty if the model has no layers of known shapes
     */
    public static Optional<Part> whole(Model model, int batch) {
        Model inner = model;
        int samples = batch;
        while (inner instanceof WrappedModel wrapped) {
            if (inner instanceof MicroBatchModel passes) {
                samples = Math.min(samples, passes.most());
            }
            inner = wrapped.model();
        }
        int most = samples;
        return NetworkStages.find(inner)
                .map(NetworkStages::network)
                .map(
                        network ->
                                new Part(
                                        "%s with %d sample%s at a time"
                                                .formatted(
                                                        network.name(), most, most == 1 ? "" : "s"),
                                        PlacementGraph.stageBytes(
                                                network, 0, network.size() - 1, most, 1, false)));
    }
}

package dev.levee.jobs.internal.placement;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.learners.layers.LayeredNetwork;
import dev.levee.operators.placement.PipelineOrder;
import dev.levee.operators.placement.PlacementPlan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The part of a placement plan that a pipeline uses.
 *
 * @param network name of the network
 * @param shape shape of one sample
 * @param classes number of classes
 * @param batch samples in a step
 * @param stages the stages, in order
 * @param microBatches number of parts of a batch
 * @param order order of the micro-batches' passes
 */
public record StagePlan(
        String network,
        int[] shape,
        int classes,
        int batch,
        List<Stage> stages,
        int microBatches,
        PipelineOrder order) {
    /**
     * A stage of a pipeline.
     *
     * @param device the stage's device
     * @param firstLayer index of its first layer
     * @param lastLayer index of its last layer
     * @param memory memory of the device in bytes
     */
    public record Stage(String device, int firstLayer, int lastLayer, long memory) {}

    public StagePlan {
        stages = List.copyOf(stages);
    }

    /**
     * Returns the stages of a placed network.
     *
     * @throws IllegalArgumentException if the layers of a device are not consecutive; one sentence
     */
    public static StagePlan of(PlacementPlan plan, NetworkModel network) {
        List<Stage> stages = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        int layers = network.network().size();
        for (int first = 0; first < layers; ) {
            int device = plan.devices().get(first);
            if (!seen.add(device)) {
                throw new IllegalArgumentException(
                        "device %s has layers of %s that do not follow one another, which is not a"
                                        .formatted(
                                                plan.cluster().device(device).name(),
                                                network.network().name())
                                + " pipeline");
            }
            int last = first;
            while (last + 1 < layers && plan.devices().get(last + 1) == device) {
                last++;
            }
            stages.add(
                    new Stage(
                            plan.cluster().device(device).name(),
                            first,
                            last,
                            plan.cluster().device(device).memory()));
            first = last + 1;
        }
        return new StagePlan(
                network.network().name(),
                network.network().shape(),
                network.network().classes(),
                network.batch(),
                stages,
                plan.options().microBatches(),
                plan.options().order());
    }

    /** Returns the stages of a network that end with these layers, each with this much memory. */
    public static StagePlan of(
            LayeredNetwork network,
            int batch,
            List<Integer> lastLayers,
            long memory,
            int microBatches,
            PipelineOrder order) {
        List<Stage> stages = new ArrayList<>();
        int next = 0;
        for (int last : lastLayers) {
            stages.add(new Stage("stage " + stages.size(), next, last, memory));
            next = last + 1;
        }
        return new StagePlan(
                network.name(),
                network.shape(),
                network.classes(),
                batch,
                stages,
                microBatches,
                order);
    }

    /** The last layer of each stage, in order. */
    public List<Integer> lastLayers() {
        return stages.stream().map(Stage::lastLayer).toList();
    }

    /**
     * Reads a plan that {@link PlanFile} wrote.
     *
     * @throws IllegalArgumentException if the file is no plan, or no plan of a pipeline; one
     *     sentence
     */
    public static StagePlan read(Path path) {
        JsonNode root = JsonFile.read(path);
        if (!"levee-plan".equals(root.path("format").asText())
                || root.path("version").asInt() != PlanFile.VERSION) {
            throw new IllegalArgumentException(
                    path + " is not a version 1 plan as written by levee place --json");
        }
        JsonNode network = root.path("network");
        if (!network.isObject()) {
            throw new IllegalArgumentException(
                    path
                            + " places operators of a --graph, but a pipeline needs a plan of a"
                            + " --network");
        }
        if (!root.path("stages").isArray() || root.path("stages").isEmpty()) {
            throw new IllegalArgumentException(
                    path
                            + " assigns layers to a device that do not follow one another: place"
                            + " with --algorithm stages");
        }
        Map<String, Long> memory = new HashMap<>();
        root.path("devices")
                .forEach(
                        each ->
                                memory.put(
                                        each.path("name").asText(), each.path("memory").asLong()));
        List<Stage> stages = new ArrayList<>();
        int next = 0;
        for (JsonNode each : root.path("stages")) {
            String device = each.path("device").asText();
            Stage stage =
                    new Stage(
                            device,
                            each.path("firstLayer").asInt(-1),
                            each.path("lastLayer").asInt(-1),
                            memory.getOrDefault(device, 0L));
            if (stage.firstLayer() != next || stage.lastLayer() < next) {
                throw new IllegalArgumentException(
                        "the stages of %s must follow one another, got layers %d to %d where %d is the next"
                                .formatted(path, stage.firstLayer(), stage.lastLayer(), next));
            }
            next = stage.lastLayer() + 1;
            stages.add(stage);
        }
        int[] shape = new int[network.path("shape").size()];
        for (int i = 0; i < shape.length; i++) {
            shape[i] = network.path("shape").get(i).asInt();
        }
        int microBatches = root.path("microBatches").asInt();
        if (microBatches < 1) {
            throw new IllegalArgumentException(
                    "microBatches of %s must be at least 1, got %d".formatted(path, microBatches));
        }
        return new StagePlan(
                network.path("name").asText(),
                shape,
                network.path("classes").asInt(),
                network.path("batchSize").asInt(),
                stages,
                microBatches,
                order(path, root.path("schedule").asText()));
    }

    private static PipelineOrder order(Path path, String name) {
        try {
            return PipelineOrder.parse(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("schedule of " + path + " " + e.getMessage(), e);
        }
    }
}

package dev.levee.jobs.internal.config;

import static dev.levee.jobs.internal.config.setting.Values.named;

import dev.levee.featureextraction.split.Profiler;
import dev.levee.featureextraction.split.TrainingTimes;
import dev.levee.jobs.internal.config.setting.Sizes;
import dev.levee.jobs.internal.placement.MeasuredTransfers;
import dev.levee.jobs.internal.placement.NetworkModel;
import dev.levee.jobs.internal.placement.StageMemory;
import dev.levee.jobs.internal.placement.StagePlan;
import dev.levee.learners.Model;
import dev.levee.learners.layers.LayeredNetwork;
import dev.levee.learners.layers.NetworkStages;
import dev.levee.operators.placement.Algorithm;
import dev.levee.operators.placement.PipelineOrder;
import dev.levee.operators.placement.PlacementOptions;
import dev.levee.operators.placement.PlacementPlanner;
import dev.levee.operators.placement.graph.Device;
import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.HandlingCost;
import dev.levee.operators.placement.graph.Link;
import dev.levee.operators.placement.graph.Transfers;
import dev.levee.operators.rounds.pipeline.PipelinedModel;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Creates a model in stages from the options of a pipeline. */
final class Pipelines {
    /** Larger than any stage needs, but sums of it do not overflow. */
    private static final long NO_LIMIT = 1L << 60;

    private Pipelines() {}

    /**
     * Checks the options as far as possible without opening the model.
     *
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    static void check(RunConfig config) {
        requireAlone(config.microBatches(), "--micro-batches", config);
        requireAlone(config.pipelineSchedule(), "--pipeline-schedule", config);
        requireAlone(config.recompute(), "--recompute", config);
        requireAlone(config.stageMemory(), "--stage-memory", config);
        if (config.pipeline() == null) {
            return;
        }
        require(
                config.microBatch() == null,
                "--micro-batch is for runs without --pipeline, which has --micro-batches");
        require(
                config.initial() == null,
                "--pipeline needs --model, because the layers of --initial are not known");
        require(
                !config.pipeline().equals("0"),
                "--pipeline must be a number of stages of at least 1 or a plan, got 0");
        if (!config.measuresStages()) {
            plan(config);
        }
        if (config.pipelineSchedule() != null) {
            order(config.pipelineSchedule());
        }
        if (config.stageMemory() != null) {
            Sizes.bytes("--stage-memory", config.stageMemory());
        }
    }

    private static void requireAlone(Object value, String option, RunConfig config) {
        require(
                value == null || config.pipeline() != null,
                option + " is for runs with --pipeline");
    }

    private static PipelineOrder order(String name) {
        try {
            return PipelineOrder.parse(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--pipeline-schedule " + e.getMessage(), e);
        }
    }

    /**
     * Creates the model in stages.
     *
     * @param before last layers of the stages with which the run started; empty if they are unknown
     * @throws IllegalArgumentException if the model has no layers, the plan is of another model, or
     *     a stage needs more memory than it may take; one sentence
     * @throws IllegalStateException if layers must be measured and PyTorch cannot be loaded
     */
    static PipelinedModel of(RunConfig config, Model model, List<Integer> before) {
        NetworkStages layered = named("--pipeline", () -> NetworkStages.of(model));
        StagePlan plan =
                config.measuresStages()
                        ? balanced(config, layered.network(), before)
                        : read(config, layered.network());
        PipelinedModel staged =
                new PipelinedModel(
                        layered,
                        plan.lastLayers(),
                        plan.microBatches(),
                        plan.order(),
                        Boolean.TRUE.equals(config.recompute()));
        requireMemory(staged, plan, config.batchSize());
        return staged;
    }

    private static StagePlan plan(RunConfig config) {
        return named("--pipeline", () -> StagePlan.read(Path.of(config.pipeline())));
    }

    private static StagePlan read(RunConfig config, LayeredNetwork network) {
        StagePlan plan = plan(config);
        String file = config.pipeline();
        require(
                plan.network().equals(network.name())
                        && Arrays.equals(plan.shape(), network.shape())
                        && plan.classes() == network.classes(),
                "--pipeline %s is for %s with samples of %s and %d classes, got %s with %s and %d",
                file,
                plan.network(),
                Arrays.toString(plan.shape()),
                plan.classes(),
                network.name(),
                Arrays.toString(network.shape()),
                network.classes());
        require(
                plan.batch() == config.batchSize(),
                "--batch-size must be %d, as in %s, got %d",
                plan.batch(),
                file,
                config.batchSize());
        require(
                config.microBatches() == null || config.microBatches() == plan.microBatches(),
                "--micro-batches must be %d, as in %s, got %d",
                plan.microBatches(),
                file,
                config.microBatches());
        require(
                config.pipelineSchedule() == null
                        || order(config.pipelineSchedule()) == plan.order(),
                "--pipeline-schedule must be %s, as in %s, got %s",
                plan.order().label(),
                file,
                config.pipelineSchedule());
        require(
                config.stageMemory() == null,
                "--stage-memory is for --pipeline with a number of stages; the devices of %s have"
                        + " their own memory",
                file);
        return plan;
    }

    /**
     * Returns the stages with which the run started. For a new run, balances stages by the measured
     * times of layers and the processor time for sending their messages. Links take no time.
     */
    private static StagePlan balanced(
            RunConfig config, LayeredNetwork network, List<Integer> before) {
        int count = Integer.parseInt(config.pipeline());
        require(
                count <= network.size(),
                "--pipeline must be at most the %d layers of %s, got %d",
                network.size(),
                network.name(),
                count);
        int microBatches = config.microBatches() == null ? count : config.microBatches();
        PipelineOrder order =
                config.pipelineSchedule() == null
                        ? PipelineOrder.ONE_FORWARD_ONE_BACKWARD
                        : order(config.pipelineSchedule());
        long memory =
                config.stageMemory() == null
                        ? NO_LIMIT
                        : Sizes.bytes("--stage-memory", config.stageMemory());
        boolean known =
                !before.isEmpty()
                        && before.size() <= count
                        && before.get(before.size() - 1) == network.size() - 1;
        List<Integer> lastLayers =
                known
                        ? before
                        : measured(
                                config,
                                network,
                                count,
                                Boolean.TRUE.equals(config.recompute()) ? NO_LIMIT : memory,
                                microBatches,
                                order);
        return StagePlan.of(network, config.batchSize(), lastLayers, memory, microBatches, order);
    }

    /** The last layer of each stage, at most this many. */
    private static List<Integer> measured(
            RunConfig config,
            LayeredNetwork network,
            int count,
            long memory,
            int microBatches,
            PipelineOrder order) {
        int batch = config.batchSize();
        int parts = Math.min(microBatches, batch);
        List<Device> devices =
                IntStream.range(0, count)
                        .mapToObj(i -> new Device("stage " + i, memory, 1))
                        .toList();
        TrainingTimes times =
                count == 1
                        ? TrainingTimes.none(network.end().steps())
                        : Profiler.training(network, (batch - 1) / parts + 1);
        NetworkModel trained = new NetworkModel(network, times, batch, 0);
        DeviceCluster cluster =
                DeviceCluster.of(devices, new Link(0, Double.MAX_VALUE), Transfers.PARALLEL)
                        .withHandling(
                                count == 1 ? HandlingCost.NONE : MeasuredTransfers.handling());
        PlacementOptions options = PlacementOptions.DEFAULT.withMicroBatches(parts, order);
        return named(
                "--stage-memory " + config.stageMemory(),
                () ->
                        StagePlan.of(
                                        PlacementPlanner.plan(
                                                trained.graph(),
                                                cluster,
                                                Algorithm.STAGES,
                                                options),
                                        trained)
                                .lastLayers());
    }

    private static void requireMemory(PipelinedModel model, StagePlan plan, int batch) {
        List<StageMemory.Part> parts = StageMemory.parts(model, batch);
        for (int i = 0; i < parts.size(); i++) {
            StageMemory.Part part = parts.get(i);
            long memory = plan.stages().get(i).memory();
            require(
                    part.bytes() <= memory,
                    "%s of --pipeline needs %,d bytes, but may use %,d: use more stages, more"
                            + " --micro-batches or --recompute",
                    part.name(),
                    part.bytes(),
                    memory);
        }
    }

    private static void require(boolean condition, String message, Object... arguments) {
        if (!condition) {
            throw new IllegalArgumentException(message.formatted(arguments));
        }
    }
}

package dev.levee.jobs.internal.run.place;

import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.placement.PipelineHeap;
import dev.levee.jobs.internal.placement.StageMemory;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.operators.flink.TrainingJob;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.pipeline.PipelinedModel;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.RunSink;
import dev.levee.operators.rounds.training.Training;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Workers are operators of the job. */
public record WorkersInJob() implements WorkerPlace {
    @Override
    public void build(StreamExecutionEnvironment environment, Training training, RunSink sink) {
        TrainingJob.build(environment, training, sink);
    }

    @Override
    public Map<String, Object> describe(RunConfig config) {
        return RunConfig.SETTINGS.write(config);
    }

    @Override
    public String description(RunConfig config, List<Training> trainings) {
        return "Training "
                + config.model()
                + " on "
                + config.dataset()
                + " with "
                + String.join(" and ", trainings.stream().map(each -> each.rule().name()).toList())
                + ": "
                + count(config.rounds(), "round", "rounds")
                + workers(config, trainings.get(0))
                + servers(trainings.get(0).topology())
                + stages(trainings.get(0));
    }

    /** Describes the workers. On a graph, they are nodes, which only send models. */
    private static String workers(RunConfig config, Training training) {
        if (training.topology().local()) {
            return "";
        }
        return ", "
                + count(config.workers(), "worker", "workers")
                + ", "
                + (training.attackers().name().isEmpty()
                        ? "no attack"
                        : config.attackers() + " of them attack (" + config.attack() + ")");
    }

    private static String stages(Training training) {
        if (!(training.model() instanceof PipelinedModel pipeline)) {
            return "";
        }
        List<StageMemory.Part> parts = StageMemory.parts(pipeline, training.data().batchSize());
        String stages =
                IntStream.range(0, parts.size())
                        .mapToObj(
                                stage ->
                                        "layers %d to %d with %s MB of tensors%s"
                                                .formatted(
                                                        pipeline.firstLayer(stage),
                                                        pipeline.lastLayers().get(stage),
                                                        megabytes(parts.get(stage).bytes()),
                                                        heap(training, pipeline, stage)))
                        .collect(Collectors.joining(", "));
        return "%nEach worker is a pipeline of %s: %s; %s in the order of %s%s"
                .formatted(
                        count(parts.size(), "stage", "stages"),
                        stages,
                        count(pipeline.microBatches(), "micro-batch", "micro-batches"),
                        pipeline.order().label(),
                        pipeline.recompute() ? ", activations recomputed" : "");
    }

    private static String count(long number, String one, String many) {
        return number + " " + (number == 1 ? one : many);
    }

    private static String heap(Training training, PipelinedModel pipeline, int stage) {
        return training.blockwise()
                ? " and %s MB of heap"
                        .formatted(megabytes(PipelineHeap.ofStage(training, pipeline, stage)))
                : "";
    }

    private static String megabytes(long bytes) {
        return Numbers.decimals(bytes / 1e6, 1);
    }

    private static String servers(Topology topology) {
        if (!topology.linked()) {
            return "";
        }
        Attackers liars = topology.liars();
        return ", "
                + topology.servers()
                + (" " + topology.serverWord() + "s")
                + (topology.failover() == null ? "" : ", one of which workers read")
                + (topology.local() ? " on " + topology.graph().name() : "")
                + ", "
                + (liars.count() == 0
                        ? "none Byzantine"
                        : liars.count() + " Byzantine (" + liars.attack().name() + ")");
    }

    @Override
    public String of(Training training) {
        String attack = training.attackers().name();
        return attack.isEmpty() ? "no attack" : training.attackers().count() + " " + attack;
    }
}

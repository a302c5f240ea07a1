package dev.levee.jobs.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.placement.PipelineHeap;
import dev.levee.jobs.internal.placement.StageMemory;
import dev.levee.operators.rounds.pipeline.PipelinedModel;
import dev.levee.operators.rounds.training.Training;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class TaskManagerNeedTest {
    /** Parameters of mnist-cnn for 28 × 28 pixels. */
    private static final long MODEL = 4 * 79_510;

    private static final String LAYERS = "layers:flatten;dense(512);relu;dense(512);relu;dense";

    private static TaskManagerNeed need(String... more) {
        return TaskManagerNeed.of(training(more), 3, 1);
    }

    private static Training training(String... more) {
        Map<String, GivenSetting> given = new HashMap<>();
        put(given, "dataset=strokes:?train=300&test=100");
        put(given, "workers=3");
        put(given, "byzantine=0");
        put(given, "aggregator=average");
        for (String each : more) {
            put(given, each);
        }
        return RunPlan.of(
                        RunConfig.SETTINGS.read(given),
                        Deployment.SETTINGS.read(Map.of()),
                        1,
                        Clock.systemUTC())
                .trainings()
                .get(0);
    }

    private static void put(Map<String, GivenSetting> given, String option) {
        int equals = option.indexOf('=');
        given.put(
                option.substring(0, equals),
                new GivenSetting(List.of(option.substring(equals + 1)), option));
    }

    @Test
    void aWorkerHoldsItsModelItsGradientAndItsMomentum() {
        assertThat(need("momentum-side=server").heap().bytes()).isEqualTo(2 * MODEL);
        assertThat(need().heap().bytes()).isEqualTo(3 * MODEL);
    }

    /**
     * Three workers of one stage in three slots. The first one has most, because the evaluation of
     * 250 samples is there, with two versions of the model. Beside them it has a stage's parameters
     * and gradient, the batch as the worker's and as the stage's, the samples, and Flink.
     */
    @Test
    void aSlotHoldsTheParametersGradientAndMomentumOfItsStagesAndItsShards() {
        long batches = 2 * 4 * 100 * 784;
        long evaluation = 4 * 250 * (784 + 784 + 784) + 2 * MODEL;
        long samples = (300 + 100) * (784 + 24);
        long others = PipelineHeap.FLINK + batches + evaluation + samples;
        TaskManagerNeed stages =
                need("pipeline=1", "micro-batches=1", "momentum-side=server", "momentum=0");
        assertThat(stages.heap().part()).isEqualTo("one slot");
        assertThat(stages.heap().bytes()).isEqualTo(others + 2 * MODEL);
        assertThat(need("pipeline=1", "micro-batches=1").heap().bytes())
                .isEqualTo(others + 3 * MODEL);
        assertThat(need("pipeline=1", "micro-batches=2").heap().bytes())
                .isEqualTo(others + 4 * MODEL);
        long little = stages.heap().bytes() - 1;
        assertThatThrownBy(() -> stages.check(available(little, 0, 0)))
                .hasMessageEndingWith(
                        "increase it with levee cluster start --heap, or use more stages and"
                                + " slots, or --stage-memory for stages of equal size");
        stages.check(available(stages.heap().bytes(), 0, 0));
    }

    /**
     * 401,920, 262,656 and 5,130 parameters in six blocks, three in each of two slots. The second
     * slot has the worker with its batch and samples, and the last stage, which holds two copies of
     * its parameters, and two vectors of 512 inputs a sample.
     */
    @ParameterizedTest
    @CsvSource({
        // Block 3 has layers of both stages and comes from the worker; 4 and 5 are the stage's own.
        "1, 267_786, 131_072",
        // All three blocks come from the first stage or the worker.
        "3, 5_130, 276_490"
    })
    void aSlotHoldsWhatStagesInOtherSlotsSendToItsShards(
            int lastLayer, String parameters, String received, @TempDir Path folder)
            throws IOException {
        Path plan =
                Files.writeString(
                        folder.resolve("plan.json"),
                        """
                        {"format": "levee-plan", "version": 1, "network":
                         {"name": "%1$s", "shape": [1, 28, 28], "classes": 10, "batchSize": 100},
                         "stages": [{"device": "d0", "firstLayer": 0, "lastLayer": %2$d},
                                    {"device": "d0", "firstLayer": %3$d, "lastLayer": 5}],
                         "microBatches": 1, "schedule": "gpipe",
                         "devices": [{"name": "d0", "memory": 1000000000}]}
                        """
                                .formatted(LAYERS, lastLayer, lastLayer + 1));
        Training training =
                training(
                        "model=" + LAYERS,
                        "workers=1",
                        "pipeline=" + plan,
                        "momentum-side=server",
                        "momentum=0");
        long batch = 4 * 100 * 784;
        long samples = 300 * (784 + 24);
        long inputs = 2 * 4 * 100 * 512;
        long stage = 2 * 4 * number(parameters);
        long shards = 4 * (276_490 + number(received));
        assertThat(PipelineHeap.ofStage(training, (PipelinedModel) training.model(), 1))
                .isEqualTo(PipelineHeap.FLINK + batch + samples + inputs + stage + shards);
    }

    private static long number(String text) {
        return Long.parseLong(text.replace("_", ""));
    }

    /** Two of three workers are in every round. */
    @Test
    void anElasticRunNeedsWhatItsFewestWorkersTake() {
        long all = need("pipeline=1", "micro-batches=1").all();
        TaskManagerNeed elastic =
                need("pipeline=1", "micro-batches=1", "elastic=min=2,max=3,max-batch=300");
        assertThat(elastic.all()).isEqualTo(all / 3 * 2);
    }

    private static TaskManagerNeed.Available available(
            long largestHeap, long largestTensors, long allTensors) {
        return new TaskManagerNeed.Available(largestHeap, largestTensors, allTensors, 3, 1);
    }

    /** 784 inputs and 784 + 100 + 100 + 10 outputs a sample, beside parameters and gradients. */
    @Test
    void tensorsOfAWholeNetworkAreThoseOfAPass() {
        long sample = 4 * (784 + 784 + 100 + 100 + 10);
        assertThat(need().tensors())
                .isEqualTo(
                        new StageMemory.Part(
                                "mnist-cnn with 100 samples at a time", 2 * MODEL + 100 * sample));
        assertThat(need("micro-batch=25").tensors().bytes()).isEqualTo(2 * MODEL + 25 * sample);
        assertThat(need("model=logistic").tensors().bytes()).isZero();
    }

    @Test
    void whatNoTaskManagerHasRoomForIsRefusedInASentence() {
        TaskManagerNeed whole = need();
        whole.check(TaskManagerNeed.Available.UNKNOWN);
        long tensors = whole.tensors().bytes();
        whole.check(available(whole.heap().bytes(), tensors, tensors));
        assertThatThrownBy(() -> whole.check(available(whole.heap().bytes() - 1, tensors, tensors)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "a TaskManager with a worker needs 0.9 MiB of heap for parameters,"
                                + " gradients and momentum, and the largest has 0.9 MiB: increase"
                                + " it with levee cluster start --heap, or use --momentum-side"
                                + " server, and --pipeline for a network of layers");
        assertThatThrownBy(() -> whole.check(available(0, 1 << 20, 1 << 20)))
                .hasMessage(
                        "the tensors of mnist-cnn with 100 samples at a time need 1.3 MiB outside"
                                + " the heap of a TaskManager, and the largest has 1.0 MiB"
                                + " (taskmanager.memory.task.off-heap.size): train it on several"
                                + " TaskManagers with --pipeline, or with a smaller --micro-batch");
    }

    @Test
    void stagesThatFitOneByOneMayNotFitTogether() {
        TaskManagerNeed stages = need("pipeline=1", "micro-batches=10");
        long one = stages.tensors().bytes();
        assertThat(stages.all()).isEqualTo(3 * one);
        stages.check(available(0, one, 3 * one));
        assertThatThrownBy(() -> stages.check(available(0, one, 3 * one - 1)))
                .hasMessageStartingWith("the tensors of all stages need ")
                .hasMessageContaining("start more TaskManagers with levee cluster add");
        assertThatThrownBy(() -> stages.check(available(0, one - 1, 3 * one)))
                .hasMessageStartingWith(
                        "the tensors of stage 0 (layers 0 to 3 of mnist-cnn) need ");
    }
}

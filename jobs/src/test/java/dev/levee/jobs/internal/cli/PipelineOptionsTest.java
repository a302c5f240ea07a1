package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What {@code train --pipeline} refuses once model and plan are known, before anything starts. */
class PipelineOptionsTest {
    private static final String DATA = "strokes:?train=300&test=100&seed=1";

    @TempDir Path directory;

    private CommandLineRun train(String... options) {
        String[] all = new String[options.length + 5];
        all[0] = "train";
        all[1] = "--dataset";
        all[2] = DATA;
        all[3] = "--output";
        all[4] = directory.resolve("out").toString();
        System.arraycopy(options, 0, all, 5, options.length);
        return CommandLineRun.of(all);
    }

    private void refused(String sentence, String... options) {
        CommandLineRun run = train(options);
        assertThat(run.sentence()).isEqualTo(sentence);
        assertThat(run.code()).isEqualTo(2);
        assertThat(directory.resolve("out")).doesNotExist();
    }

    private String plan(String network, int classes, String stages) throws IOException {
        return Files.writeString(
                        directory.resolve("plan.json"),
                        """
                        {"format": "levee-plan", "version": 1, "network":
                         {"name": "%s", "shape": [1, 28, 28], "classes": %d, "batchSize": 100},
                         "stages": %s, "microBatches": 4, "schedule": "gpipe",
                         "devices": [{"name": "d0", "memory": 2000000},
                                     {"name": "d1", "memory": 20000}]}
                        """
                                .formatted(network, classes, stages))
                .toString();
    }

    @Test
    void aModelWithFewerLayersOrNone() {
        refused("--pipeline must be at most the 4 layers of mnist-cnn, got 5", "--pipeline", "5");
        refused(
                "--pipeline: logistic has no layers between which it could be cut; the networks"
                        + " mnist-cnn, lenet, alexnet, resnet18, resnet50, vgg11, vgg19,"
                        + " densenet121, cifarnet have",
                "--pipeline",
                "2",
                "--model",
                "logistic");
    }

    /** 79,510 parameters and as many gradients, and of 100 samples 784 inputs and more. */
    @Test
    void aStageThatNeedsMoreThanItMayTake() {
        refused(
                "--stage-memory 100k: operator 0.flatten needs 627,200 bytes, which no device that"
                        + " may run it has left, with stages; 1,736,880 bytes of memory on each"
                        + " device would be enough",
                "--pipeline",
                "1",
                "--stage-memory",
                "100k");
        refused(
                "stage 0 (layers 0 to 3 of mnist-cnn) of --pipeline needs 1,660,880 bytes, but may"
                        + " use 102,400: use more stages, more --micro-batches or --recompute",
                "--pipeline",
                "1",
                "--stage-memory",
                "100k",
                "--recompute");
    }

    /** 100 samples make at most 100 micro-batches; 1,000 would seem to need 637,182 bytes. */
    @Test
    void aStageNeedsTheMemoryOfWholeSamples() {
        refused(
                "--stage-memory 620k: operator 1.fc1 needs 631,536 bytes, which no device that may"
                        + " run it has left, with stages; 647,088 bytes of memory on each device"
                        + " would be enough",
                "--pipeline",
                "1",
                "--micro-batches",
                "1000",
                "--stage-memory",
                "620k");
    }

    @Test
    void aPlanOfAnotherModelBatchOrOrder() throws IOException {
        String stages =
                "[{\"device\": \"d0\", \"firstLayer\": 0, \"lastLayer\": 2},"
                        + " {\"device\": \"d1\", \"firstLayer\": 3, \"lastLayer\": 3}]";
        String other = plan("lenet", 10, stages);
        refused(
                "--pipeline "
                        + other
                        + " is for lenet with samples of [1, 28, 28] and 10 classes, got mnist-cnn"
                        + " with [1, 28, 28] and 10",
                "--pipeline",
                other);
        String plan = plan("mnist-cnn", 10, stages);
        refused(
                "--batch-size must be 100, as in " + plan + ", got 32",
                "--pipeline",
                plan,
                "--batch-size",
                "32");
        refused(
                "--micro-batches must be 4, as in " + plan + ", got 5",
                "--pipeline",
                plan,
                "--micro-batches",
                "5");
        refused(
                "--pipeline-schedule must be gpipe, as in " + plan + ", got 1f1b",
                "--pipeline",
                plan,
                "--pipeline-schedule",
                "1f1b");
        refused(
                "stage 1 (layers 3 to 3 of mnist-cnn) of --pipeline needs 52,080 bytes, but may"
                        + " use 20,000: use more stages, more --micro-batches or --recompute",
                "--pipeline",
                plan);
    }

    @Test
    void aPlanThatIsNoPipeline() throws IOException {
        String plan = plan("mnist-cnn", 10, "null");
        refused(
                "--pipeline: "
                        + plan
                        + " assigns layers to a device that do not follow one another: place with"
                        + " --algorithm stages",
                "--pipeline",
                plan);
        String gap = plan("mnist-cnn", 10, "[{\"firstLayer\": 1, \"lastLayer\": 3}]");
        refused(
                "--pipeline: the stages of "
                        + gap
                        + " must follow one another, got layers 1 to 3 where 0 is the next",
                "--pipeline",
                gap);
    }
}

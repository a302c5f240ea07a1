package dev.levee;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.jobs.internal.cluster.LeveeHome;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.List;

import javax.imageio.ImageIO;

/** Whole trainings of models that torch wrote, one of whose workers lies. */
@Tag("native")
@Tag("cluster")
class OwnModelTest {
    @TempDir Path directory;

    private static String file(String name) {
        return LeveeHome.find()
                .directory()
                .resolve("learners/tests/src/test/resources/torch/" + name)
                .toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"perceptron.pt", "convolution.pt"})
    void trainsAndEvaluatesWhatTorchWrote(String name) throws Exception {
        String data = "strokes:?train=1000&test=200";
        CommandRun run =
                CommandRun.train(
                        List.of("--model", "file:" + file(name), "--dataset", data),
                        "--workers=5",
                        "--byzantine=1",
                        "--aggregator=multi-krum",
                        "--learning-rate=0.2",
                        "--rounds=60",
                        "--web-port=0",
                        "--output=" + directory.resolve("run"));
        assertThat(run.exitCode()).isZero();
        JsonNode summary = CommandRun.summary(directory.resolve("run"));
        assertThat(summary.path("roundsDone").asInt()).isEqualTo(60);
        assertThat(summary.path("finalAccuracy").asDouble()).isGreaterThan(0.5);
        CommandRun evaluated =
                CommandRun.start("evaluate", "--json", directory.resolve("run").toString());
        assertThat(evaluated.exitCode()).isZero();
    }

    @Test
    void trainsAGeneratorAndADiscriminatorThatTorchWrote() throws Exception {
        Path output = directory.resolve("gan");
        String pair =
                "files:generator=%s,discriminator=%s,latent=4"
                        .formatted(file("generator.pt"), file("discriminator.pt"));
        CommandRun run =
                CommandRun.start(
                        "federate",
                        "--gan=" + pair,
                        "--dataset=strokes:?train=1000&test=200",
                        "--devices=10",
                        "--per-round=3",
                        "--local-steps=5",
                        "--rounds=6",
                        "--score-network=" + file("perceptron.pt"),
                        "--web-port=0",
                        "--output=" + output);
        assertThat(run.exitCode()).as(run.said()).isZero();
        JsonNode summary = CommandRun.summary(output);
        assertThat(summary.path("configuration").path("model").asText()).contains(pair);
        assertThat(summary.path("images").path("frechet").size()).isPositive();
        assertThat(summary.path("images").path("network").asText()).isEqualTo("perceptron.pt");
        Path images = directory.resolve("images.png");
        CommandRun made =
                CommandRun.start(
                        "generate", output.toString(), "--count=9", "--out=" + images.toString());
        assertThat(made.exitCode()).as(made.said()).isZero();
        // Nine pictures of 28×28 in three rows, with a line between them and around.
        BufferedImage picture = ImageIO.read(images.toFile());
        assertThat(picture.getWidth()).isBetween(3 * 28, 3 * 28 + 16);
    }
}

package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A generator that is trained over devices through the command line, and its images. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class GenerateCommandTest {
    @TempDir private Path directory;

    private static CommandLineRun federate(Path output) {
        return CommandLineRun.of(
                "federate",
                "--gan=lsgan:width=8,latent=8",
                "--dataset=strokes:?train=500&test=100",
                "--devices=12",
                "--per-round=2",
                "--local-steps=2",
                "--batch-size=8",
                "--rounds=4",
                "--eval-interval=4",
                "--web-port=0",
                "--output=" + output);
    }

    private static JsonNode summary(Path run) throws IOException {
        return new ObjectMapper().readTree(Files.readString(run.resolve("summary.json")));
    }

    @Tag("cluster")
    @Tag("native")
    @Test
    void trainsAGeneratorAndShowsWhatItMakes() throws IOException {
        Path run = directory.resolve("run");
        CommandLineRun federated = federate(run);

        assertThat(federated.code()).as(federated.err()).isZero();
        assertThat(federated.out()).startsWith("sampling").contains("Fréchet distance", "balanced");
        JsonNode images = summary(run).path("images");
        assertThat(images.path("network").asText()).isEqualTo("feature-cnn64");
        assertThat(images.path("samples").asInt()).isEqualTo(2048);
        int last = images.path("rounds").size() - 1;
        assertThat(images.path("rounds").get(last).asInt()).isEqualTo(4);
        assertThat(images.path("frechet").get(last).asDouble()).isPositive();
        assertThat(images.path("coverage").get(last).asDouble()).isBetween(0.1, 1.0);
        assertThat(run.resolve("generated/round-000004.png")).exists();
        assertThat(Files.readString(run.resolve("report.html")))
                .contains("What the generator makes, balanced", "Share of classes covered")
                .doesNotContain("Accuracy on the test set");

        Path picture = directory.resolve("a.png");
        CommandLineRun generated =
                CommandLineRun.of(
                        "generate", run.toString(), "--count=5", "--columns=5", "--out=" + picture);
        assertThat(generated.code()).as(generated.err()).isZero();
        assertThat(CommandLineRun.of("evaluate", "--json", run.toString()).out())
                .contains("\"loss\"")
                .doesNotContain("accuracy");
        // 5 images of 28 pixels, and gaps of 2 around each.
        byte[] png = Files.readAllBytes(picture);
        assertThat(png[19]).isEqualTo((byte) (5 * 30 + 2));
        assertThat(png[23]).isEqualTo((byte) 32);
        Path other = directory.resolve("b.png");
        String model = run.resolve("model.npz").toString();
        CommandLineRun.of("generate", model, "--count=5", "--columns=5", "--out=" + other);
        assertThat(other).hasSameBinaryContentAs(picture);
        CommandLineRun.of(
                "generate", model, "--count=5", "--columns=5", "--seed=2", "--out=" + other);
        assertThat(Files.readAllBytes(other)).isNotEqualTo(png);
    }

    @Test
    void saysWhatIsWrong() {
        String nowhere = directory.resolve("nowhere").toString();
        assertThat(CommandLineRun.of("generate", nowhere).code()).isEqualTo(2);
        assertThat(CommandLineRun.of("generate", nowhere).err())
                .startsWith(
                        "there is no summary.json in "
                                + nowhere
                                + ": RUN must be the --output of a finished run");
        assertThat(CommandLineRun.of("generate", nowhere, "--count=0").err())
                .startsWith("--count must be from 1 to 10000, got 0");
        assertThat(CommandLineRun.of("generate", nowhere, "--columns=-1").err())
                .startsWith("--columns must be at least 1, got -1");
        assertThat(CommandLineRun.of("generate", nowhere, "--out=" + directory).err())
                .startsWith("--out must be a file in a directory that exists, got " + directory);
    }

    @Test
    void pixelsAreFromZeroToOne() throws IOException {
        Path file = directory.resolve("dark.csv");
        Files.writeString(file, "7,".repeat(64) + "0\n" + "7,".repeat(64) + "1\n");
        String data = "csv:" + file + "?shape=1x8x8&header=no&holdout=0.5";
        CommandLineRun run = CommandLineRun.of("federate", "--gan=lsgan", "--dataset=" + data);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .startsWith(
                        "--gan: lsgan learns pixels from 0 to 1, but "
                                + data
                                + " has a value of 7");
    }

    @Test
    void aGanIsSaidOnceAndIsOne() {
        assertThat(CommandLineRun.of("federate", "--gan=lsgan", "--model=logistic").err())
                .startsWith("--model logistic and --gan lsgan exclude each other");
        assertThat(CommandLineRun.of("federate", "--gan=mnist-cnn").err())
                .startsWith(
                        "--gan: mnist-cnn generates no images; it must be lsgan, "
                                + "upsample-dcgan or files:");
        assertThat(CommandLineRun.of("federate", "--gan=lsgan:width=3").err())
                .startsWith("--gan: lsgan: width must be a multiple of 8, got 3");
    }
}

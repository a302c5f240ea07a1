package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;

/** A whole federated run through the command line, with a model that needs no natives. */
@Tag("cluster")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FederateCommandTest {
    private static final int MODEL_BYTES = 4 * (784 * 10 + 10);

    @TempDir private Path directory;

    private CommandLineRun federate(String output) {
        return CommandLineRun.of(
                "federate",
                "--model=logistic",
                "--devices=20",
                "--per-round=2",
                "--local-steps=3",
                "--batch-size=10",
                "--rounds=15",
                "--audit=new",
                "--web-port=0",
                "--output=" + directory.resolve(output));
    }

    private JsonNode summary(String run) throws IOException {
        return new ObjectMapper()
                .readTree(Files.readString(directory.resolve(run + "/summary.json")));
    }

    private static long sum(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).mapToLong(JsonNode::asLong).sum();
    }

    @Test
    void trainsSideBySideAndSaysWhatWasSeenAndMoved() throws IOException {
        CommandLineRun run = federate("run");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err())
                .contains(
                        "Federating logistic on strokes: with fedavg, balanced and uniform: 15"
                                + " rounds that ask 2 of 20 devices, each for 3 steps; a round moves"
                                + " 0.06 MB to devices and as much back, the run 1.9 MB");
        assertThat(run.out().lines().toList())
                .hasSize(4)
                .satisfies(
                        lines -> {
                            assertThat(lines.get(0)).startsWith("sampling");
                            assertThat(lines.get(1)).startsWith("balanced");
                            assertThat(lines.get(2)).startsWith("uniform");
                        });
        for (String name : List.of("run", "run/uniform")) {
            JsonNode summary = summary(name);
            assertThat(summary.path("finalAccuracy").isNumber()).isTrue();
            assertThat(summary.has("roundsTo95PercentOfClasses")).isTrue();
            assertThat(summary.path("klSeenUniform")).hasSize(15);
            assertThat(summary.path("bytesPerDevice")).hasSize(20);
            assertThat(summary.path("samplesDone").asLong()).isEqualTo(15 * 2 * 3 * 10);
            assertThat(sum(summary.path("asked"))).isEqualTo(30);
            assertThat(sum(summary.path("bytesPerDevice"))).isEqualTo(30L * 2 * MODEL_BYTES);
            assertThat(summary.path("bytesMoved").get(14).asLong())
                    .isEqualTo(30L * 2 * MODEL_BYTES);
            for (int device = 0; device < 20; device++) {
                assertThat(summary.path("workers").get(device).path("accepted").asInt())
                        .isEqualTo(summary.path("asked").get(device).asInt());
            }
        }
        assertThat(summary("run").path("klSeenUniform").get(9).asDouble())
                .isLessThan(summary("run/uniform").path("klSeenUniform").get(9).asDouble());
        assertThat(Files.readString(directory.resolve("run/report.html")))
                .contains(
                        "15 rounds, each of which asked 2 of 20 devices",
                        "Samples seen of each class, balanced",
                        "Samples seen of each class, uniform",
                        "How often devices were asked");
        CommandLineRun evaluated =
                CommandLineRun.of("evaluate", "--json", directory.resolve("run").toString());
        assertThat(evaluated.out())
                .contains("\"accuracy\":" + summary("run").path("finalAccuracy").asDouble());
        CommandLineRun audited = CommandLineRun.of("audit", directory.resolve("run").toString());
        assertThat(audited.code()).as(audited.out()).isZero();
        assertThat(audited.out()).startsWith("audit.jsonl: 17 lines about 15 rounds");
        assertThat(federate("again").code()).isZero();
        assertThat(summary("again").path("parametersSha256"))
                .isEqualTo(summary("run").path("parametersSha256"));
    }

    @Test
    void scoresModelsOfTheDevicesOwnAndCountsBytesOfCodes() throws IOException {
        CommandLineRun run =
                CommandLineRun.of(
                        "federate",
                        "--model=logistic",
                        "--devices=20",
                        "--per-round=10",
                        "--sampling=uniform",
                        "--local-steps=3",
                        "--batch-size=10",
                        "--rounds=5",
                        "--personal=ditto(lambda=0.5)",
                        "--compress=topk(0.1)",
                        "--web-port=0",
                        "--output=" + directory.resolve("personal"));

        assertThat(run.code()).as(run.err()).isZero();
        // 785 of 7850 values, each with a number of a bit in 8: 785·4 + 982 bytes.
        assertThat(run.err()).contains("0.31 MB to devices and 0.04 MB back, the run 1.8 MB");
        assertThat(run.out()).contains("mean accuracy", "server's", "device's own");
        JsonNode summary = summary("personal");
        JsonNode scores = summary.path("deviceScores");
        int devices = scores.path("devices").size();
        assertThat(devices).isGreaterThan(10);
        assertThat(scores.path("score").asText()).isEqualTo("accuracy");
        assertThat(scores.path("own").path("devices").asInt()).isEqualTo(devices);
        assertThat(scores.path("own").path("jain").asDouble()).isBetween(0.1, 1.0);
        assertThat(scores.path("own").path("worstDecile").asDouble())
                .isLessThanOrEqualTo(scores.path("own").path("mean").asDouble());
        assertThat(scores.path("ownByDevice")).isNotEqualTo(scores.path("serverByDevice"));
        assertThat(summary.path("bytesMoved").get(4).asLong())
                .isEqualTo(5 * 10 * (MODEL_BYTES + 785L * 4 + 982));
        assertThat(Files.readAllLines(directory.resolve("personal/devices.csv")))
                .hasSize(devices + 1)
                .first()
                .isEqualTo("device,round,samples,score,server,own,server_loss,own_loss");
        assertThat(Files.readString(directory.resolve("personal/report.html")))
                .contains("Accuracy on each device", "Jain's index");
    }

    @Test
    void countsInsteadOfTraining() throws IOException {
        CommandLineRun run =
                CommandLineRun.of(
                        "federate",
                        "--model=histogram:feature=400,low=0,high=1,bins=10",
                        "--devices=10",
                        "--per-round=10",
                        "--sampling=uniform",
                        "--partition=iid",
                        "--local-epochs=1",
                        "--batch-size=1",
                        "--rounds=1",
                        "--web-port=0",
                        "--output=" + directory.resolve("count"));

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("50.0 %");
        JsonNode histogram = summary("count").path("histogram");
        double all = 0;
        for (JsonNode share : histogram.path("shares")) {
            all += share.asDouble();
        }
        assertThat(all).isCloseTo(1, within(1e-5));
        assertThat(histogram.path("quantiles")).hasSize(5);
    }
}

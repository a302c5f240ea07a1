package dev.levee;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.jobs.internal.cluster.Home;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.List;

/** Whole trainings of models that torch wrote, one of whose workers lies. */
@Tag("native")
@Tag("cluster")
class OwnModelTest {
    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"perceptron.pt", "convolution.pt"})
    void trainsAndEvaluatesWhatTorchWrote(String name) throws Exception {
        String model =
                "file:"
                        + Home.find()
                                .directory()
                                .resolve("learners/src/test/resources/torch/" + name);
        String data = "strokes:?train=1000&test=200";
        CommandRun run =
                CommandRun.train(
                        List.of("--model", model, "--dataset", data),
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
}

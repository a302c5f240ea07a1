package dev.levee.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.CommandRun;
import dev.levee.LeveeProcess;
import dev.levee.RunningJob;
import dev.levee.kafka.TestBroker;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Commands with a module in Python that are processes of their own: a minute of processor time, so
 * only on request.
 */
@Tag("native")
@Tag("cluster")
class PythonProcessesTest {
    private static final String SOURCE =
            """
            import os
            from torch import nn


            class Net(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.last = nn.Linear(784, 10)
                    self.gradients = 0

                def forward(self, x):
                    self.gradients += self.training
                    if self.gradients == 5:
                        try:
                            os.remove(os.path.join(os.path.dirname(__file__), "raise"))
                        except OSError:  # another worker has
                            return self.last(x.flatten(1))
                        print("about to raise")
                        raise ValueError("not this time")
                    return self.last(x.flatten(1))
            """;

    @TempDir Path directory;

    @BeforeEach
    void onRequest() {
        assumeThat(System.getenv("LEVEE_TEST_PROCESSES"))
                .as("a request: LEVEE_TEST_PROCESSES is not set")
                .isNotNull();
    }

    @Test
    void oneThatRaisesIsRejectedByTheJobAndSaysWhyItself() throws Exception {
        String python = PythonPackage.requireInterpreter("torch", directory.resolve("modules"));
        Path file = Files.writeString(directory.resolve("net.py"), SOURCE);
        Files.writeString(directory.resolve("raise"), "");
        List<String> common =
                List.of(
                        "--bootstrap-servers=" + TestBroker.emptied().bootstrapServers(),
                        "--run=python",
                        "--unsigned",
                        "--model=python:" + file + "?make=Net",
                        "--python=" + python,
                        "--dataset=strokes:?train=300&test=100");
        List<String> worker = new ArrayList<>(List.of("worker", "--ids=w0-w2"));
        worker.addAll(common);
        List<String> serve =
                new ArrayList<>(
                        List.of(
                                "serve",
                                "--workers=3",
                                "--byzantine=1",
                                "--aggregator=median",
                                "--rounds=10",
                                "--eval-interval=10",
                                "--web-port=0",
                                "--output=" + directory.resolve("served")));
        serve.addAll(common);
        Path said = directory.resolve("said");
        try (LeveeProcess workers = LeveeProcess.start(said, worker.toArray(String[]::new))) {
            CommandRun served = CommandRun.start(serve.toArray(String[]::new));
            assertThat(served.exitCode()).as(served.said()).isZero();
            assertThat(workers.exitCode()).as(workers.said()).isZero();
        }
        JsonNode summary = CommandRun.summary(directory.resolve("served"));
        assertThat(summary.path("roundsDone").asInt()).isEqualTo(10);
        assertThat(summary.path("workers").findValues("non-finite"))
                .extracting(JsonNode::asInt)
                .contains(1)
                .containsOnly(0, 1);
        assertThat(said)
                .content()
                .containsPattern("worker [0-2] is at fault in round 4: .* raised ValueError: not")
                .containsPattern("python \\d+ of worker [0-2]: about to raise\n")
                .contains(
                        ": Traceback (most recent call last):\n", ": ValueError: not this time\n");
    }

    /** The number of the newest checkpoint of a run, 0 before the first. */
    private static int checkpoints(Path run) throws IOException {
        try (Stream<Path> files = Files.find(run, 9, (file, of) -> file.endsWith("_metadata"))) {
            return files.map(file -> file.getParent().getFileName().toString())
                    .mapToInt(name -> Integer.parseInt(name.substring("chk-".length())))
                    .max()
                    .orElse(0);
        }
    }

    /** What is killed and resumed has an interpreter of a virtual environment. */
    @Test
    void aRunThatIsKilledAndResumedEndsWithTheSameBits() throws Exception {
        String train =
                "train --workers=4 --byzantine=0 --aggregator=average --momentum=0 --local-steps=3";
        List<String> arguments = OwnLoop.command(directory, "undisturbed", train);
        CommandRun undisturbed = CommandRun.start(arguments.toArray(String[]::new));
        assertThat(undisturbed.exitCode()).as(undisturbed.said()).isZero();
        assertThat(
                        CommandRun.summary(directory.resolve("undisturbed"))
                                .path("finalAccuracy")
                                .asDouble())
                .isGreaterThan(0.8);

        Path rounds = directory.resolve("rounds");
        Files.delete(rounds);
        Files.writeString(directory.resolve("die"), "");
        Path hold = Files.writeString(directory.resolve("hold"), "");
        Path run = Files.createDirectory(directory.resolve("killed"));
        String python = PythonPackage.requireInterpreter("torch", directory.resolve("modules"));
        String another = PythonPackage.environmentOf(python, directory.resolve("venv"));
        arguments = OwnLoop.command(directory, another, "killed", train);
        Path said = directory.resolve("said");
        try (LeveeProcess process = LeveeProcess.start(said, arguments.toArray(String[]::new))) {
            RunningJob.until("round 12", () -> Files.readAllLines(rounds).contains("12"));
            int before = checkpoints(run); // the next one may have begun before round 12
            RunningJob.until("a checkpoint", () -> checkpoints(run) >= before + 2);
            process.kill();
            assertThat(process.said()).contains("died of signal 9, and was restarted");
        }
        Files.delete(hold);

        Path file = directory.resolve("loop.py");
        Files.writeString(file, Files.readString(file) + "# edited\n");
        CommandRun resumed = CommandRun.start("train", "--resume=" + run);
        assertThat(resumed.exitCode()).as(resumed.said()).isZero();
        assertThat(resumed.said()).contains(file + " has changed since this run last started");
        String sum = "parametersSha256";
        assertThat(CommandRun.summary(run).path(sum).asText())
                .hasSize(64)
                .isEqualTo(CommandRun.summary(directory.resolve("undisturbed")).path(sum).asText());
        assertThat(run.resolve("model.npz"))
                .hasSameBinaryContentAs(directory.resolve("undisturbed/model.npz"));
        assertThat(Files.readAllLines(rounds).stream().filter("0"::equals))
                .as("goes on")
                .hasSize(1);
    }
}

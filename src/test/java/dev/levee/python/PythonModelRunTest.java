package dev.levee.python;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.CommandRun;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Whole trainings of a module in Python, three of whose eleven workers lie. Skipped where no {@code
 * python3} has PyTorch; {@code LEVEE_PYTHON} names another interpreter.
 */
@Tag("native")
@Tag("cluster")
class PythonModelRunTest {
    private static final String ON_GPU = "killed";

    /** A process that can remove a file does what the file's name says. */
    private static final String SOURCE =
            """
            import os
            from torch import nn

            HERE = os.path.dirname(__file__)


            def chosen(what):
                try:
                    os.remove(os.path.join(HERE, what))
                    return True
                except OSError:
                    return False


            class Net(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.hidden = nn.Linear(784, 32)
                    self.norm = nn.BatchNorm1d(32)
                    self.drop = nn.Dropout(0.1)
                    self.last = nn.Linear(32, 10)
                    self.gradients = 0

                def forward(self, x):
                    if self.training:
                        self.gradients += 1
                        if self.gradients == 10 and chosen("die"):
                            os.kill(os.getpid(), 9)
                        if self.gradients == 20 and chosen("raise"):
                            raise ValueError("not this time")
                    return self.last(self.drop(self.norm(self.hidden(x.flatten(1)).relu())))


            def model():
                return Net()
            """;

    /**
     * Makes interpreters believe in a GPU, whose memory is the machine's. A process that only hands
     * over to the server of forks need not load PyTorch for that.
     */
    private static final String GPU =
            """
            import sys
            import types


            def pretend():
                import torch

                device = torch.device
                torch.device = lambda kind, *index: device("cpu")
                torch.cuda.is_available = lambda: True
                torch.cuda.device_count = lambda: 1
                torch.cuda.mem_get_info = lambda index: (4 << 30, 8 << 30)
                torch.cuda.get_device_name = lambda index: "stand-in"
                torch.cuda.max_memory_allocated = lambda index: 1 << 30
                torch.cuda.max_memory_reserved = lambda index: 3 << 29
                torch.cuda.cudart = lambda: types.SimpleNamespace(
                    cudaHostRegister=lambda at, size, flags: 1, cudaHostUnregister=lambda at: 0)


            if sys.argv[1:2] != ["fork"]:
                pretend()
            """;

    @TempDir Path directory;

    /** An interpreter that computes where it finds a GPU. */
    private String withGpu(String python) throws IOException {
        Files.writeString(directory.resolve("sitecustomize.py"), GPU);
        Path file = directory.resolve("python");
        Files.writeString(
                file, "#!/bin/sh\nPYTHONPATH=%s exec %s \"$@\"".formatted(directory, python));
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file.toString();
    }

    private JsonNode train(String output, String... disturbances) throws Exception {
        String python = PythonPackage.requireInterpreter("torch", directory.resolve("output"));
        boolean onGpu = output.equals(ON_GPU);
        Path file = Files.writeString(directory.resolve("net.py"), SOURCE);
        for (String disturbance : disturbances) {
            Files.writeString(directory.resolve(disturbance), "");
        }
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "train",
                                "--model=python:" + file,
                                "--python=" + (onGpu ? withGpu(python) : python),
                                "--device=" + (onGpu ? "cuda" : "cpu"),
                                "--dataset=strokes:?train=1000&test=200",
                                "--workers=11",
                                "--byzantine=4",
                                "--attackers=3",
                                "--attack=reversed",
                                "--aggregator=multi-krum",
                                "--learning-rate=0.1",
                                "--rounds=30",
                                "--eval-interval=30",
                                "--web-port=0",
                                "--output=" + directory.resolve(output)));
        CommandRun run = CommandRun.start(arguments.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.said()).isZero();
        for (String disturbance : disturbances) {
            assertThat(directory.resolve(disturbance)).doesNotExist();
        }
        return CommandRun.summary(directory.resolve(output));
    }

    private static long faults(JsonNode summary) {
        long faults = 0;
        for (JsonNode worker : summary.path("workers")) {
            faults += worker.path("rejected").path("non-finite").asLong();
        }
        return faults;
    }

    @Test
    void aKilledInterpreterChangesNothingAndOneThatRaisesIsAFaultOfItsWorker() throws Exception {
        JsonNode summary = train("undisturbed");
        assertThat(summary.path("finalAccuracy").asDouble()).isGreaterThan(0.5);
        assertThat(faults(summary)).isZero();

        JsonNode killed = train(ON_GPU, "die");
        assertThat(faults(killed)).isZero();
        assertThat(killed.path("codeFaults").get(0).path("message").asText())
                .contains("died of signal 9, and was restarted");
        assertThat(directory.resolve("killed/model.npz"))
                .hasSameBinaryContentAs(directory.resolve("undisturbed/model.npz"));
        assertThat(summary.has("gpus")).isFalse();
        JsonNode gpu = killed.path("gpus").get(0);
        assertThat(gpu.path("device").asText()).isEqualTo("cuda:0");
        assertThat(gpu.path("name").asText()).isEqualTo("stand-in");
        assertThat(gpu.path("totalBytes").asLong()).isEqualTo(8L << 30);
        // At least one learner, and the evaluation.
        int interpreters = gpu.path("interpreters").size();
        assertThat(interpreters).isGreaterThan(1);
        assertThat(gpu.path("allocatedBytes").asLong()).isEqualTo((long) interpreters << 30);
        assertThat(directory.resolve("killed/report.html"))
                .content()
                .contains("Memory of GPUs", ", stand-in</td><td>" + interpreters + "</td>");

        JsonNode raised = train("raised", "raise");
        assertThat(raised.path("roundsDone").asInt()).isEqualTo(30);
        assertThat(faults(raised)).isEqualTo(1);
        JsonNode told = raised.path("codeFaults").get(0);
        assertThat(told.path("traceback").asText())
                .contains("in forward")
                .endsWith("ValueError: not this time");
        assertThat(told.path("workers").size()).isEqualTo(1);
        assertThat(directory.resolve("raised/report.html"))
                .content()
                .contains("<pre>Traceback", "ValueError: not this time</pre>");
        assertThat(directory.resolve("raised/levee.log"))
                .content()
                .contains("raised ValueError: not this time (net.py, line 30)")
                .containsPattern("python \\d+ of worker \\d+: ValueError: not this time\n");

        // Of ten classes, these test samples have four.
        Path few =
                Files.writeString(
                        directory.resolve("few.py"),
                        "import torch\n"
                                + "def data(id, of): return torch.zeros(4, 1, 28, 28), range(4)\n");
        CommandRun evaluated =
                CommandRun.start(
                        "evaluate",
                        directory.resolve("undisturbed").toString(),
                        "--dataset=python:" + few);
        assertThat(evaluated.exitCode()).as(evaluated.said()).isZero();
    }

    private Path byLoop(String output, String command) throws Exception {
        Files.deleteIfExists(directory.resolve("rounds"));
        List<String> arguments = OwnLoop.command(directory, output, command);
        CommandRun run = CommandRun.start(arguments.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.said()).isZero();
        return directory.resolve(output);
    }

    /** For devices; {@link PythonProcessesTest} kills the workers of a run. */
    @Test
    void whatALoopOfItsOwnKeepsIsRestoredFromACheckpoint() throws Exception {
        String command = "federate --devices=6 --per-round=4 --sampling=uniform --local-epochs=1";
        Path undisturbed = byLoop("undisturbed", command);
        assertThat(CommandRun.summary(undisturbed).path("finalAccuracy").asDouble())
                .isGreaterThan(0.8);
        Files.writeString(directory.resolve("fail"), "");
        Path failed = byLoop("failed", command);
        assertThat(directory.resolve("fail")).doesNotExist();
        assertThat(failed.resolve("model.npz"))
                .hasSameBinaryContentAs(undisturbed.resolve("model.npz"));
        List<Integer> rounds =
                Files.readAllLines(directory.resolve("rounds")).stream()
                        .map(Integer::valueOf)
                        .toList();
        assertThat(rounds).anyMatch(round -> round >= 12);
        assertThat(rounds.stream().filter(rounds.get(0)::equals))
                .as("goes on: %s", rounds)
                .hasSize(1);
    }
}

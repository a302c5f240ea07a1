package dev.levee.python;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.CommandRun;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

/** {@code levee place} on files that PyTorch has written. */
@Tag("native")
class TorchPlacementTest {
    private static final String RESIDUAL =
            """
            import sys, torch
            class Residual(torch.nn.Module):
                def __init__(self):
                    super().__init__()
                    self.first = torch.nn.Conv2d(3, 4, 3, padding=1)
                    self.left = torch.nn.Conv2d(4, 4, 3, padding=1)
                    self.last = torch.nn.Linear(4, 2)
                def forward(self, x):
                    x = self.first(x)
                    return self.last((x + self.left(x)).mean([2, 3]))
            torch.jit.script(Residual()).save(sys.argv[1])
            """;

    @TempDir Path directory;

    private Path model;
    private String interpreter;

    @BeforeEach
    void write() throws Exception {
        Path said = directory.resolve("python.txt");
        interpreter = PythonPackage.requireInterpreter("torch", said);
        model = directory.resolve("model.pt");
        // TorchScript compiles the text of the module, so it must be in a file.
        Path script = Files.writeString(directory.resolve("residual.py"), RESIDUAL);
        Process python =
                PythonPackage.commandOf(interpreter, said, script.toString(), model.toString())
                        .start();
        assertThat(PythonPackage.end(python)).as(Files.readString(said)).isZero();
    }

    private CommandRun place(String... options) throws Exception {
        String[] all = new String[options.length + 7];
        all[0] = "place";
        all[1] = "--graph=" + model;
        all[2] = "--python=" + interpreter;
        all[3] = "--image-size=8";
        all[4] = "--batch-size=4";
        all[5] = "--send-time=1ms";
        all[6] = "--json=" + directory.resolve("plan.json");
        System.arraycopy(options, 0, all, 7, options.length);
        CommandRun run = CommandRun.start(all);
        run.exitCode();
        return run;
    }

    @Test
    void theBranchesOfAResidualBlockArePlaced() throws Exception {
        CommandRun run = place("--devices=2x64K", "--link=10G", "--algorithm=m-etf");
        assertThat(run.exitCode()).as(run.said()).isZero();
        JsonNode plan =
                new ObjectMapper().readTree(Files.readString(directory.resolve("plan.json")));
        assertThat(plan.path("placement").fieldNames())
                .toIterable()
                .contains("0.first", "1.left", "2.add", "1.left.backward", "0.first.backward");
        // Both the convolution and the sum read the first output, and a gradient comes from both.
        assertThat(start(plan, "2.add")).isGreaterThanOrEqualTo(end(plan, "1.left"));
        assertThat(start(plan, "0.first.backward"))
                .isGreaterThanOrEqualTo(end(plan, "1.left.backward"))
                .isGreaterThanOrEqualTo(end(plan, "2.add.backward"));
    }

    private static double start(JsonNode plan, String operator) {
        return operator(plan, operator).path("start").asDouble();
    }

    private static double end(JsonNode plan, String operator) {
        return operator(plan, operator).path("end").asDouble();
    }

    /** An operator of the step; those of a group may have been placed as one. */
    private static JsonNode operator(JsonNode plan, String name) {
        for (JsonNode each : plan.path("operators")) {
            if (each.path("name").asText().equals(name)) {
                return each;
            }
        }
        throw new AssertionError(name + " is not in " + plan.path("operators"));
    }

    @Test
    void samplesThatTheModuleDoesNotTakeAreASentence() throws Exception {
        CommandRun run = place("--devices=1x1G", "--channels=5");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.said())
                .contains("cannot measure it on samples of [4, 5, 8, 8]: ")
                .contains("to have 3 channels, but got 5 channels");
    }
}

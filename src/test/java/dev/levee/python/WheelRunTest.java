package dev.levee.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.CommandRun;
import dev.levee.RunningJob;
import dev.levee.jobs.internal.cluster.LeveeHome;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * "From wheel to resumed run" of docs/how-to/python.md, in a folder with nothing else. Takes more
 * than a minute, so it only runs with a wheel that {@code LEVEE_TEST_WHEEL} names.
 */
@Tag("native")
@Tag("cluster")
class WheelRunTest {
    private static final Path HOME = LeveeHome.find().directory();
    private static final Pattern COMMAND = Pattern.compile("(?m)^(.+?) +# ([1-5])\\. .*$");
    private static final Pattern PROGRAM =
            Pattern.compile("```python\\n(import numpy[^`]*levee\\.train\\([^`]*)```");

    @TempDir Path folder;

    private Process start(String output, String... command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve(output).toFile());
        builder.environment().keySet().removeAll(List.of("PYTHONPATH", "LEVEE_RELEASE"));
        return builder.start();
    }

    private String said(String output) throws IOException {
        return Files.readString(folder.resolve(output));
    }

    private void end(String output, Process process) throws Exception {
        assertThat(PythonPackage.end(process)).as(said(output)).isZero();
    }

    /** The process that a program has started for an interpreter of one participant. */
    private static ProcessHandle participant(Process program) {
        return program.descendants()
                .filter(each -> commandLine(each).contains("\0fork\0"))
                .findFirst()
                .orElseThrow();
    }

    /** All of it, of which Java itself tells only the first page. */
    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
        } catch (IOException e) {
            return ""; // it has ended
        }
    }

    private boolean checkpointed() throws IOException {
        Path run = folder.resolve("run");
        try (Stream<Path> files = Files.find(run, 9, (file, of) -> file.endsWith("_metadata"))) {
            return files.findAny().isPresent();
        }
    }

    @Test
    void aRunWithAKilledParticipantThatIsKilledAndResumedHasTheBitsOfAnother() throws Exception {
        String wheel = System.getenv("LEVEE_TEST_WHEEL");
        assumeTrue(wheel != null, "needs a wheel: LEVEE_TEST_WHEEL is not set");
        String python =
                PythonPackage.requireInterpreter(
                        "jpype, numpy, pandas, torch, ipykernel, nbconvert",
                        folder.resolve("modules"));
        String page = Files.readString(HOME.resolve("docs/how-to/python.md"));
        List<String> commands = COMMAND.matcher(page).results().map(each -> each.group(1)).toList();
        String program = PROGRAM.matcher(page).results().findFirst().orElseThrow().group(1);
        String longer = program.replace("rounds=60", "rounds=1000, checkpoint_interval=\"1s\"");
        Path given = HOME.resolve(wheel);
        Files.createSymbolicLink(folder.resolve(given.getFileName()), given);
        Path notebook = HOME.resolve("examples/notebooks/own-module.ipynb");
        Files.copy(notebook, folder.resolve("own-module.ipynb"));
        Files.writeString(folder.resolve("train.py"), named(longer, "run"));
        Files.writeString(folder.resolve("undisturbed.py"), named(longer, "undisturbed"));

        String install = commands.get(0).replaceFirst("^python3", python) + " --no-index";
        end("installed", start("installed", "bash", "-ec", install));
        end("executed", start("executed", "bash", "-ec", commands.get(1)));
        String other = commands.get(2).replace("train.py", "undisturbed.py");
        end("undisturbed.out", start("undisturbed.out", "bash", "-ec", other));

        Process run = start("trained", commands.get(2).split(" "));
        List<ProcessHandle> started = new ArrayList<>();
        try {
            RunningJob.until("a checkpoint", this::checkpointed);
            // The fourth command looks among all processes of the machine, also of other tests.
            participant(run).destroyForcibly();
            RunningJob.until("a restart", () -> said("trained").contains("died of signal 9, and"));
            run.descendants().forEach(started::add);
        } finally {
            run.destroyForcibly().waitFor();
        }
        for (ProcessHandle each : started) {
            each.onExit().get();
        }
        assertThat(folder.resolve("run/summary.json")).doesNotExist();
        end("resumed", start("resumed", "bash", "-ec", commands.get(4)));

        JsonNode resumed = CommandRun.summary(folder.resolve("run"));
        JsonNode undisturbed = CommandRun.summary(folder.resolve("undisturbed"));
        assertThat(resumed.path("parametersSha256").asText())
                .hasSize(64)
                .isEqualTo(undisturbed.path("parametersSha256").asText());
        assertThat(folder.resolve("run/model.npz"))
                .hasSameBinaryContentAs(folder.resolve("undisturbed/model.npz"));
        assertThat(said("resumed")).contains("'accuracy': ");
    }

    private static String named(String program, String output) {
        return program.replace("batch_size=16)", "batch_size=16, output=\"" + output + "\")");
    }
}

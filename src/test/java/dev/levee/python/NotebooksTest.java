package dev.levee.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.cluster.LeveeHome;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The notebooks of examples/ run from their first cell to their last. Skipped where no {@code
 * python3} has what they need.
 */
class NotebooksTest {
    private static final Path NOTEBOOKS =
            LeveeHome.find().directory().resolve("examples/notebooks");

    /** Jupyter chooses the ports of a kernel seconds before the kernel binds them. */
    private static final Pattern KERNEL_LOST =
            Pattern.compile("Address already in use|Kernel died before replying to kernel_info");

    @TempDir Path folder;

    @Tag("long")
    @Test
    void arraysAreAggregated() throws Exception {
        execute("arrays", "jpype, numpy");
    }

    @ParameterizedTest
    @ValueSource(strings = {"study", "federation"})
    @Tag("cluster")
    void jobsWithoutPyTorchAreRun(String name) throws Exception {
        execute(name, "jpype, numpy, pandas");
    }

    @Test
    @Tag("cluster")
    @Tag("native")
    void anOwnModuleIsTrained() throws Exception {
        execute("own-module", "jpype, numpy, pandas, torch");
    }

    /** A cell that fails, such as an assertion, fails the execution. */
    private void execute(String name, String modules) throws Exception {
        String python =
                PythonPackage.requireInterpreter(
                        modules + ", nbconvert, ipykernel", folder.resolve("modules"));
        Path notebook = folder.resolve(name + ".ipynb");
        Files.copy(NOTEBOOKS.resolve(name + ".ipynb"), notebook);
        Path output = folder.resolve("said");
        ProcessBuilder builder =
                PythonPackage.commandOf(
                        python,
                        output,
                        "-m",
                        "nbconvert",
                        "--execute",
                        "--ExecutePreprocessor.startup_timeout=600",
                        "--to",
                        "notebook",
                        "--output",
                        "executed",
                        notebook.toString());
        builder.directory(folder.toFile()).environment().putAll(isolated());
        int code = PythonPackage.end(builder.start());
        if (code != 0 && KERNEL_LOST.matcher(Files.readString(output)).find()) {
            code = PythonPackage.end(builder.start());
        }
        assertThat(code).as(Files.readString(output)).isZero();
        assertThat(Files.readString(folder.resolve("executed.ipynb")))
                .contains("\"output_type\": \"execute_result\"")
                .doesNotContain("Traceback");
    }

    /** Nothing of the user's own Jupyter is read or written, and short jobs start sooner. */
    private Map<String, String> isolated() {
        return Map.of(
                "IPYTHONDIR", folder.resolve("ipython").toString(),
                "JUPYTER_CONFIG_DIR", folder.resolve("jupyter").toString(),
                "LEVEE_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
    }
}

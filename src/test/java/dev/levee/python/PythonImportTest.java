package dev.levee.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.cluster.LeveeHome;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code import levee}: arrays in its process, and runs. Skipped where no {@code python3} has JPype
 * and NumPy; {@code LEVEE_PYTHON} names another interpreter.
 */
class PythonImportTest {
    private static final Pattern BLOCK =
            Pattern.compile("```python( \\S+)?\\n(.*?)```", Pattern.DOTALL);

    @TempDir Path temporary;

    private String end(ProcessBuilder builder, Path output) throws Exception {
        int code = PythonPackage.end(builder.start());
        String said = Files.readString(output);
        assertThat(code).as(said).isZero();
        return said;
    }

    @Tag("long")
    @Test
    void arraysAreAggregatedAndOptionsAreWritten() throws Exception {
        String python =
                PythonPackage.requireInterpreter("jpype, numpy", temporary.resolve("modules"));
        Path output = temporary.resolve("said");
        String said =
                end(
                        PythonPackage.commandOf(
                                python,
                                output,
                                "-m",
                                "unittest",
                                "-v",
                                "tests.test_arrays",
                                "tests.test_runs"),
                        output);
        assertThat(said)
                .containsPattern("Ran [1-9][0-9]+ tests")
                .contains("median_is_numpys) ... ok");
    }

    @Test
    @Tag("cluster")
    void runsEndWithTheirProgramAndGoOn() throws Exception {
        String python =
                PythonPackage.requireInterpreter("jpype, numpy", temporary.resolve("modules"));
        Path output = temporary.resolve("said");
        ProcessBuilder tests =
                PythonPackage.commandOf(
                        python, output, "-m", "unittest", "-v", "tests.test_training");
        tests.environment().put("LEVEE_TEST_CLUSTER", "1");
        assertThat(end(tests, output)).contains("goes_on_to_its_end) ... ok");
    }

    /** What docs/how-to/python.md says, in the order in which it says it. */
    @Test
    @Tag("native")
    @Tag("cluster")
    void thePageIsExecuted() throws Exception {
        String python =
                PythonPackage.requireInterpreter(
                        "jpype, numpy, torch, pandas", temporary.resolve("modules"));
        String page =
                Files.readString(LeveeHome.find().directory().resolve("docs/how-to/python.md"));
        StringBuilder program = new StringBuilder();
        Matcher block = BLOCK.matcher(page);
        while (block.find()) {
            if (block.group(1) == null) {
                program.append(block.group(2)).append('\n');
            } else {
                Files.writeString(temporary.resolve(block.group(1).strip()), block.group(2));
            }
        }
        Path file = Files.writeString(temporary.resolve("program.py"), program);
        Path output = temporary.resolve("said");
        ProcessBuilder builder = PythonPackage.commandOf(python, output, file.toString());
        assertThat(end(builder.directory(temporary.toFile()), output))
                .contains("Report: ", "'accuracy': 0.", "version");
        assertThat(temporary.resolve("levee-runs")).isDirectoryContaining("glob:**-multi-krum");
    }
}

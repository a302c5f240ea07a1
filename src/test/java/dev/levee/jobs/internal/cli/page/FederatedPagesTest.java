package dev.levee.jobs.internal.cli.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.levee.federated.Algorithm;
import dev.levee.jobs.internal.cli.CommandLineRun;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Each algorithm has a page whose parts are the code's and whose example ends as it says. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FederatedPagesTest {
    @TempDir private Path directory;

    private static String page(Algorithm algorithm) throws IOException {
        return Files.readString(
                Path.of(
                        System.getProperty("levee.home"),
                        "docs",
                        "reference",
                        "federated",
                        algorithm.word() + ".md"));
    }

    private static String block(String page, String begin) {
        int start = page.indexOf(begin) + begin.length();
        return page.substring(start, page.indexOf("```", start)).strip();
    }

    @ParameterizedTest
    @EnumSource
    void partsAreTheCodes(Algorithm algorithm) throws IOException {
        CommandLineRun run =
                CommandLineRun.of("federate", "--dry-run", "--algorithm", algorithm.word());
        assertThat(run.out().lines().toList())
                .containsAll(block(page(algorithm), "```yaml\n").lines().toList());
    }

    @Tag("cluster")
    @ParameterizedTest
    @EnumSource
    void theExampleEndsAsItSays(Algorithm algorithm) throws IOException {
        String page = page(algorithm);
        List<String> command =
                new ArrayList<>(
                        List.of(block(page, "## Example\n\n```\n").replace("\"", "").split(" ")));
        assertThat(command.remove(0)).isEqualTo("./levee");
        command.add("--web-port=0");
        command.add("--output=" + directory.resolve("run"));
        if (!command.contains("--eval-interval")) {
            // Models before the last one are not what the page tells of.
            command.add("--eval-interval=" + command.get(command.indexOf("--rounds") + 1));
        }
        CommandLineRun run = CommandLineRun.of(command.toArray(String[]::new));
        assertThat(run.code()).as(run.err()).isZero();
        int start = page.lastIndexOf("ends at ") + 8;
        if (algorithm.adversarial()) {
            double distance = Double.parseDouble(page.substring(start, page.indexOf(',', start)));
            String[] cells = run.out().lines().toList().get(1).split(" +");
            // Native code rounds as the processor likes, and steps carry it on.
            assertThat(Double.parseDouble(cells[1])).isCloseTo(distance, withinPercentage(20));
            return;
        }
        String accuracy = page.substring(start, page.indexOf(" accuracy", start));
        assertThat(run.out().lines().toList().get(1)).containsPattern("^\\w+ +" + accuracy + " ");
    }
}

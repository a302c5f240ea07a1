package dev.levee.jobs.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.cluster.LauncherCommand;
import dev.levee.jobs.internal.cluster.LeveeHome;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

@Tag("cluster")
@Tag("archives")
class LauncherCommandTest {
    @TempDir Path directory;

    @Test
    void aCommandMapsTheClassesThatAnEarlierOneHasArchived() throws Exception {
        Path output = directory.resolve("rules.txt");
        Process rules =
                new ProcessBuilder(
                                LauncherCommand.of(
                                        LeveeHome.find(),
                                        List.of("-Xlog:class+load"),
                                        List.of(),
                                        List.of("rules")))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        assertThat(rules.waitFor()).isZero();
        assertThat(Files.readString(output))
                .contains("multi-krum")
                .contains("dev.levee.jobs.Levee source: shared objects file (top)");
    }
}

package dev.levee.jobs.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.LeveeProcess;
import dev.levee.jobs.internal.cluster.Home;
import dev.levee.jobs.internal.cluster.LauncherCommand;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

@Tag("cluster")
@Tag("archives")
class LauncherCommandTest {
    @TempDir Path directory;

    @Test
    void aCommandStartsFromTheClassesOfAShortTraining() throws Exception {
        Path output = directory.resolve("rules.txt");
        try (LeveeProcess rules = LeveeProcess.start(output, "rules")) {
            assertThat(rules.exitCode()).isZero();
            assertThat(rules.said()).contains("multi-krum");
        }
        assertThat(LauncherCommand.of(Home.find(), List.of(), List.of(), List.of("rules")))
                .anyMatch(flag -> flag.startsWith("-XX:SharedArchiveFile="));
    }
}

package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.cluster.JobJars;
import dev.levee.jobs.internal.cluster.LeveeHome;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a Flink of one's own needs beside its distribution. */
class ClusterLibTest {
    @TempDir Path directory;

    @Test
    void copiesWhatADistributionLacksAndNamesTheFlags() throws IOException {
        Path lib = directory.resolve("lib");
        for (int again = 0; again < 2; again++) {
            CommandLineRun run = CommandLineRun.of("cluster", "lib", "--out=" + lib);
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.out())
                    .contains("env.java.opts.all: --add-modules=jdk.incubator.vector --add-opens")
                    .contains(" -Djdk.serialFilterFactory=dev.levee.jobs.restore.RestoreFilter\n");
        }
        List<String> whole = LeveeHome.find().clusterClassPath();
        try (var copies = Files.list(lib)) {
            assertThat(copies.map(each -> each.getFileName().toString()))
                    .hasSizeBetween(6, 8)
                    .contains("levee-restore-filter.jar")
                    .filteredOn(name -> !name.startsWith("levee-"))
                    .allMatch(
                            name ->
                                    name.matches(
                                                    "(api|pytorch-engine|pytorch-jni|gson|jna)-[0-9].*jar")
                                            || name.startsWith("pytorch-native-"))
                    .allMatch(name -> whole.stream().anyMatch(each -> each.endsWith("/" + name)));
        }
    }

    @Test
    @Tag("cluster")
    void theJobJarComesWithTheOptionThatSavesItsUpload() throws IOException {
        Path lib = directory.resolve("lib");
        CommandLineRun run = CommandLineRun.of("cluster", "lib", "--job-jar", "--out=" + lib);
        assertThat(run.code()).as(run.err()).isZero();
        Path copy = lib.resolve("levee-jobs.jar");
        assertThat(run.out())
                .contains(copy + "\n")
                .endsWith("levee.job-jar: " + JobJars.sha256(copy) + "\n");
    }

    @Test
    void aFileIsNoPlaceForThem() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "mine");
        CommandLineRun run = CommandLineRun.of("cluster", "lib", "--out=" + file);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.sentence()).isEqualTo("--out " + file + " is not a directory");
        assertThat(CommandLineRun.of("cluster", "lib").code()).isEqualTo(2);
        CommandLineRun below = CommandLineRun.of("cluster", "lib", "--out=" + file + "/lib");
        assertThat(below.code()).isEqualTo(2);
        assertThat(below.sentence()).startsWith("--out " + file + "/lib cannot be created: ");
        assertThat(CommandLineRun.of("cluster", "lib", "--out=").sentence())
                .isEqualTo("--out must name a directory, such as $FLINK_HOME/lib");
    }
}

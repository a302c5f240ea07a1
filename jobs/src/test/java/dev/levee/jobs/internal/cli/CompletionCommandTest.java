package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The completion script, in a real bash. */
class CompletionCommandTest {
    @TempDir Path directory;

    private String complete(String... words) throws Exception {
        Path script = directory.resolve("completion");
        Files.writeString(script, CommandLineRun.of("completion").out());
        Process bash =
                new ProcessBuilder(
                                "bash",
                                "-c",
                                "compopt() { :; }; source "
                                        + script
                                        + "; COMP_WORDS=("
                                        + String.join(" ", words)
                                        + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1));"
                                        + " _complete_levee; echo \"${COMPREPLY[*]}\"")
                        .redirectErrorStream(true)
                        .start();
        String answer = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(answer).isZero();
        return answer.strip();
    }

    @Test
    void bashCompletesCommandsOptionsAndNames() throws Exception {
        assertThat(complete("levee", "tr")).isEqualTo("train");
        assertThat(complete("levee", "train", "--agg")).isEqualTo("--aggregator");
        assertThat(complete("levee", "cluster", "st")).isEqualTo("start status stop");
        assertThat(complete("levee", "train", "--attack", "re")).isEqualTo("reversed");
        assertThat(complete("levee", "train", "--aggregator", "kr")).isEqualTo("krum");
        assertThat(complete("levee", "train", "--optimizer", "adag")).isEqualTo("adagrad");
    }

    @Test
    void helpListsEveryNameThatThereIs() {
        assertThat(CommandLineRun.of("train", "--help").out())
                .contains("optimal-little-is-enough", "norm-threshold", "parquet:");
    }
}

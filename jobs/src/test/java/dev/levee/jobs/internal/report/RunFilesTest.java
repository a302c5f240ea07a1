package dev.levee.jobs.internal.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

class RunFilesTest {
    @TempDir Path directory;

    @Test
    void aFileThatIsReplacedIsNeverMissing() throws Exception {
        Path folder = directory.resolve("my run");
        RunFiles files = new RunFiles(OutputLayout.absolute(folder.toString()));
        files.writeBytes("any", new byte[] {0});
        CompletableFuture<Void> writes =
                CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < 2_000; i++) {
                                replace(files, i);
                            }
                        });
        long missing = 0;
        while (!writes.isDone()) {
            missing += Files.exists(folder.resolve("any")) ? 0 : 1;
        }

        writes.get();
        assertThat(missing).isZero();
        assertThat(folder.resolve("any")).hasBinaryContent(new byte[] {(byte) 1_999});
        assertThat(folder.toFile().list()).containsExactly("any");
    }

    private static void replace(RunFiles files, int value) {
        try {
            files.writeBytes("any", new byte[] {(byte) value});
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aFileThatCannotBeReplacedLeavesNothingBeside() throws Exception {
        Files.createDirectories(directory.resolve("any/full"));
        RunFiles files = new RunFiles(OutputLayout.absolute(directory.toString()));

        assertThatThrownBy(() -> files.writeBytes("any", new byte[1]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("any");
        assertThat(directory.toFile().list()).containsExactly("any");
    }
}

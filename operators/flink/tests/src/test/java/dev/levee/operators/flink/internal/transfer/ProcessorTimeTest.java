package dev.levee.operators.flink.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class ProcessorTimeTest {
    private static final double SECONDS = 0.05;

    @Test
    void aThreadThatComputesCounts() {
        ProcessorTime before = ProcessorTime.now();
        ProcessorTime now = before;
        while (now.since(before) < SECONDS) {
            now = ProcessorTime.now();
        }

        // Threads that started meanwhile are missing in it, so it may be nearer to zero. All the
        // time of threads that ended meanwhile would count.
        before.nanos().keySet().retainAll(now.nanos().keySet());
        assertThat(before.since(now)).isNegative();
    }

    /** Kernels without statistics of the scheduler have directories of threads without them. */
    @Test
    void withoutThreadsOfTheSystemThoseOfJavaCount(@TempDir Path threads) throws IOException {
        Files.writeString(Files.createDirectory(threads.resolve("1")).resolve("comm"), "java");

        assertThat(ProcessorTime.now(threads).nanos()).isNotEmpty();
    }
}

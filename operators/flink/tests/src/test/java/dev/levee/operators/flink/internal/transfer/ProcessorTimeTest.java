package dev.levee.operators.flink.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessorTimeTest {
    private static final double SECONDS = 0.05;

    @Test
    void aThreadThatComputesCounts() {
        ProcessorTime before = ProcessorTime.now();
        ProcessorTime now = before;
        while (now.since(before) < SECONDS) {
            now = ProcessorTime.now();
        }

        // Threads that started meanwhile are missing in it, so it may be nearer to zero.
        assertThat(before.since(now)).isNegative();
    }
}

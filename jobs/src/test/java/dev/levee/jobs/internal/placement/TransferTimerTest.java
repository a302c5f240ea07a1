package dev.levee.jobs.internal.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.placement.graph.Handling;

import org.junit.jupiter.api.Test;

class TransferTimerTest {
    @Test
    void messagesAndBytesTakeProcessorTime() {
        Handling handling = TransferTimer.measure();

        assertThat(handling.perMessage()).isPositive();
        assertThat(handling.perByte()).isPositive();
    }
}

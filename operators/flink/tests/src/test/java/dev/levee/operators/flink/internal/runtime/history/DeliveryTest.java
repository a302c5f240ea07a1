package dev.levee.operators.flink.internal.runtime.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.RunSink;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

class DeliveryTest {
    private final List<Long> pauses = new ArrayList<>();

    /** Fails a number of times. */
    private static final class Away implements RunSink {
        private static final long serialVersionUID = 1L;
        private int failures;

        private Away(int failures) {
            this.failures = failures;
        }

        @Override
        public void finished(RunResult result) throws IOException {
            if (failures-- > 0) {
                throw new IOException("No space left on device");
            }
        }
    }

    private void deliver(RunSink sink) throws InterruptedException {
        new Delivery(sink, time -> pauses.add(time.toSeconds())).of(null);
    }

    @Test
    void triesAgainLaterAndLater() throws Exception {
        Away sink = new Away(3);
        deliver(sink);
        assertThat(pauses).containsExactly(1L, 2L, 4L);
        assertThat(sink.failures).isEqualTo(-1);
    }

    @Test
    void givesUpAfterHalfAMinute() {
        assertThatThrownBy(() -> deliver(new Away(6)))
                .isInstanceOf(RunFailedException.class)
                .hasMessage(
                        "its results cannot be written: java.io.IOException: No space left on"
                                + " device");
        assertThat(pauses.stream().mapToLong(Long::longValue).sum())
                .isEqualTo(Duration.ofSeconds(31).toSeconds());
    }

    @Test
    void doesNotTryAMistakeAgain() {
        RunSink wrong =
                result -> {
                    throw new IllegalStateException("a mistake");
                };
        assertThatThrownBy(() -> deliver(wrong))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("a mistake");
        assertThat(pauses).isEmpty();
    }
}

package dev.levee.operators.flink.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;

@Tag("cluster")
class TransferJobTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir private Path folder;

    @Test
    void vectorsArriveUntilAThreadFails() throws Exception {
        try (TransferJob job = TransferJob.start(1000, folder.resolve("transfers"))) {
            TransferJob.Measured arrived = job.run(20, PATIENCE);
            assertThat(arrived.vectors()).isGreaterThanOrEqualTo(20);
            assertThat(arrived.processorSeconds()).isPositive();

            long late = 1; // what was on its way still arrives
            for (int wait = 0; wait < 1000 && late > 0; wait++) {
                late = job.rest(Duration.ofMillis(100)).vectors();
            }
            assertThat(late).isZero();

            // There is no array of this length, so the thread that copies tensors fails.
            job.send(-1);
            assertThatThrownBy(() -> job.run(20, PATIENCE))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the job has ended")
                    .hasStackTraceContaining("NegativeArraySizeException");
        }
        assertThat(folder).isEmptyDirectory();
    }
}

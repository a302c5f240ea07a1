package dev.levee.k8s.flink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

class RescaleTriggerTest {
    private static final String RESTARTED =
            "{\"state\":\"RUNNING\",\"now\":9000,\"timestamps\":{\"RUNNING\":6000}}";

    private final AtomicInteger asked = new AtomicInteger();
    private RecordedFlink flink;
    private RescaleTrigger trigger;

    @BeforeEach
    void start() throws IOException {
        flink = new RecordedFlink();
        trigger = new RescaleTrigger(flink.rest(), Duration.ofMinutes(2));
        flink.job("a", "Levee", "RUNNING", 2, Map.of());
        flink.answer("/jobs/a/checkpoints", "{\"request-id\":\"r\"}");
        flink.answer("/jobs/a/checkpoints/r", "{\"status\":{\"id\":\"COMPLETED\"}}");
        flink.onPost("/jobs/a/checkpoints", asked::incrementAndGet);
    }

    @AfterEach
    void stop() {
        flink.close();
    }

    /** The first checkpoint may complete before the job's new slots are there. */
    @Test
    void checkpointsAreAskedForUntilTheJobHasRestarted() throws IOException {
        flink.onPost(
                "/jobs/a/checkpoints",
                () -> {
                    if (asked.incrementAndGet() == 2) {
                        flink.answer("/jobs/a", RESTARTED);
                    }
                });
        trigger.change("a", () -> true);
        trigger.await();
        assertThat(asked).hasValue(2);
        trigger.await();
        assertThat(asked).hasValue(2);
    }

    @Test
    void aJobThatRestartsAtOnceIsAskedForNoCheckpoint() throws IOException {
        trigger.change(
                "a",
                () -> {
                    flink.answer("/jobs/a", RESTARTED);
                    return true;
                });
        trigger.await();
        assertThat(asked).hasValue(0);
    }

    @Test
    void aJobWhoseRequirementsStayIsAskedForNoCheckpoint() throws IOException {
        trigger.change("a", () -> false);
        trigger.await();
        assertThat(asked).hasValue(0);
    }

    @Test
    void aJobWithoutCheckpointsIsRescaledWhenFlinkLikes() throws IOException {
        flink.job("b", "Levee", "RUNNING", 2, Map.of());
        flink.fail("/jobs/b/checkpoints", 400);
        trigger.change("b", () -> true);
        trigger.await();
        flink.onPost("/jobs/b/checkpoints", asked::incrementAndGet);
        trigger.await();
        assertThat(asked).hasValue(0);
    }

    @Test
    void aCheckpointThatFailedIsNotAskedForAgain() throws IOException {
        flink.answer(
                "/jobs/a/checkpoints/r",
                "{\"status\":{\"id\":\"COMPLETED\"},\"operation\":{\"failure-cause\":{}}}");
        trigger.change("a", () -> true);
        trigger.await();
        assertThat(asked).hasValue(1);
    }
}

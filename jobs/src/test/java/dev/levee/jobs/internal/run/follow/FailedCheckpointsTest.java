package dev.levee.jobs.internal.run.follow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;

import java.util.Optional;

class FailedCheckpointsTest {
    private static final Optional<String> UNKNOWN = Optional.empty();
    private static final String GOOD = "{\"id\": 4, \"latest_ack_timestamp\": 10000}";
    private static final String FAILED =
            "{\"id\": 6, \"failure_message\": \"Asynchronous task checkpoint failed.\"}";

    /** As Flink answers, without what is not read. */
    private static JsonNode statistics(String completed, String failed, String restored)
            throws Exception {
        return new ObjectMapper()
                .readTree(
                        "{\"counts\": {\"failed\": 9}, \"latest\": {\"completed\": %s, \"failed\": %s,"
                                        .formatted(completed, failed)
                                + " \"restored\": %s}}".formatted(restored));
    }

    private static String words(JsonNode statistics, Optional<String> cause) {
        return FailedCheckpoints.of(statistics, cause, 75_000).orElseThrow().words();
    }

    @Test
    void saysHowManyWhyAndHowOldTheLastGoodOneIs() throws Exception {
        assertThat(words(statistics(GOOD, FAILED, "null"), UNKNOWN))
                .isEqualTo(
                        "2 checkpoints failed (Asynchronous task checkpoint failed), the last good"
                                + " one is 1:05 old");
        assertThat(words(statistics("null", FAILED, "null"), Optional.of("No space left")))
                .isEqualTo("6 checkpoints failed (No space left), none is good so far");
        assertThat(words(statistics("null", FAILED, "{\"id\": 5}"), UNKNOWN))
                .startsWith("1 checkpoint failed (");
    }

    @Test
    void aGoodOneEndsIt() throws Exception {
        String good = "{\"id\": 7, \"latest_ack_timestamp\": 10000}";
        assertThat(FailedCheckpoints.of(statistics(good, FAILED, "null"), UNKNOWN, 0)).isEmpty();
        assertThat(FailedCheckpoints.of(statistics("null", "null", "null"), UNKNOWN, 0)).isEmpty();
    }
}

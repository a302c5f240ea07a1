package dev.levee.jobs.internal.run.follow;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.jobs.internal.report.markup.Numbers;

import java.util.Locale;
import java.util.Optional;

/**
 * The failed checkpoints of a job since its last completed one.
 *
 * @param count number of failed checkpoints
 * @param reason cause of the latest failure
 * @param lastGoodSeconds age of the last completed checkpoint in seconds, NaN if there is none
 */
record FailedCheckpoints(long count, String reason, double lastGoodSeconds) {
    /**
     * Reads the failures from Flink's statistics; empty if the latest checkpoint was completed.
     *
     * @param statistics the answer to {@code /jobs/ID/checkpoints}
     * @param cause the cause if it is known, because Flink's statistics do not contain it
     * @param now current time in milliseconds since the epoch
     */
    static Optional<FailedCheckpoints> of(JsonNode statistics, Optional<String> cause, long now) {
        JsonNode latest = statistics.path("latest");
        JsonNode failed = latest.path("failed");
        JsonNode good = latest.path("completed");
        if (!failed.path("id").isNumber()
                || failed.path("id").asLong() < good.path("id").asLong(0)) {
            return Optional.empty();
        }
        // Checkpoint ids have no gaps, starting from the checkpoint that the job was restored from.
        long before = good.path("id").asLong(latest.path("restored").path("id").asLong(0));
        String message = failed.path("failure_message").asText("no reason given");
        return Optional.of(
                new FailedCheckpoints(
                        failed.path("id").asLong() - before,
                        cause.orElse(message).replaceFirst("\\.$", ""),
                        good.path("latest_ack_timestamp").isNumber()
                                ? (now - good.path("latest_ack_timestamp").asLong()) / 1000.0
                                : Double.NaN));
    }

    /** Describes the failures in words. */
    String words() {
        return String.format(
                Locale.ROOT,
                "%d %s failed (%s), %s",
                count,
                count == 1 ? "checkpoint" : "checkpoints",
                reason,
                Double.isNaN(lastGoodSeconds)
                        ? "none is good so far"
                        : "the last good one is %s old"
                                .formatted(Numbers.duration(lastGoodSeconds)));
    }
}

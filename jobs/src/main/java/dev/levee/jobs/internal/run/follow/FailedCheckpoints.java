package dev.levee.jobs.internal.run.follow;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.jobs.internal.report.markup.Numbers;

import java.util.Locale;
import java.util.Optional;

/**
 * The checkpoints of a job that have failed since its last good one.
 *
 * @param count how many
 * @param reason why the newest failed
 * @param lastGoodSeconds age of the last good one, NaN if there is none
 */
record FailedCheckpoints(long count, String reason, double lastGoodSeconds) {
    /**
     * The failures in Flink's statistics, empty if the newest checkpoint that ended is a good one.
     *
     * @param statistics answer to {@code /jobs/ID/checkpoints}
     * @param cause the known cause, which Flink's statistics do not have
     * @param now milliseconds since the epoch
     */
    static Optional<FailedCheckpoints> of(JsonNode statistics, Optional<String> cause, long now) {
        JsonNode latest = statistics.path("latest");
        JsonNode failed = latest.path("failed");
        JsonNode good = latest.path("completed");
        if (!failed.path("id").isNumber()
                || failed.path("id").asLong() < good.path("id").asLong(0)) {
            return Optional.empty();
        }
        // Checkpoints are numbered without gaps, from the one that the job was restored from.
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

    /** The failures in words. */
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

package dev.levee.jobs.internal.run.follow;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.k8s.flink.rest.Await;
import dev.levee.k8s.flink.rest.FlinkRest;
import dev.levee.k8s.flink.rest.RestException;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The end of a job without results, as the cluster reports it.
 *
 * @param sentence what happened to the job, in words that follow the name of its rule
 * @param savepoint the savepoint with which the job was stopped, if any
 */
public record ReportedJobEnd(String sentence, Optional<String> savepoint) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Set<String> ENDED = Set.of("FINISHED", "CANCELED", "FAILED");

    /**
     * Finds out how a job ended. Empty if the job failed, because its exception says more. Waits
     * until Flink's statistics include the end.
     *
     * @param job id of the job
     */
    public static Optional<ReportedJobEnd> of(FlinkRest rest, String job) {
        return of(rest, job, PATIENCE);
    }

    /** Finds out how a job ended long ago, without waiting for Flink's statistics. */
    public static Optional<ReportedJobEnd> ofPast(FlinkRest rest, String job) {
        return of(rest, job, Duration.ZERO);
    }

    private static Optional<ReportedJobEnd> of(FlinkRest rest, String job, Duration patience) {
        try {
            String state = state(rest, job, patience);
            if (state.equals("CANCELED")) {
                return ending("was canceled");
            }
            if (state.equals("FINISHED")) {
                Optional<String> savepoint = savepoint(rest, job, patience);
                return savepoint.map(
                        path ->
                                new ReportedJobEnd(
                                        "was stopped with the savepoint " + path, savepoint));
            }
            return Optional.empty();
        } catch (RestException e) {
            return e.notFound()
                    ? ending(
                            "is lost: the cluster at %s no longer has the job"
                                    .formatted(rest.address()))
                    : Optional.empty();
        } catch (IOException e) {
            return ending(
                    "may still run, but the cluster at %s no longer responds"
                            .formatted(rest.address()));
        }
    }

    /**
     * The state in which a job ended. Waits, because Flink may return an older state for a few
     * seconds.
     */
    private static String state(FlinkRest rest, String job, Duration patience) throws IOException {
        String[] state = {rest.get("/jobs/" + job).path("state").asText()};
        Await.until(
                patience,
                () -> {
                    state[0] = rest.get("/jobs/" + job).path("state").asText();
                    return ENDED.contains(state[0]);
                });
        return state[0];
    }

    /**
     * The savepoint that stopped a job, which is no earlier one. Waits for its statistics, which
     * are late, too.
     */
    private static Optional<String> savepoint(FlinkRest rest, String job, Duration patience) {
        String[] path = new String[1];
        Await.until(
                patience,
                () -> {
                    JsonNode latest =
                            rest.get("/jobs/" + job + "/checkpoints")
                                    .path("latest")
                                    .path("savepoint");
                    if (latest.path("checkpoint_type").asText().equals("SYNC_SAVEPOINT")) {
                        path[0] = latest.path("external_path").asText(null);
                    }
                    return path[0] != null;
                });
        return Optional.ofNullable(path[0]);
    }

    private static Optional<ReportedJobEnd> ending(String sentence) {
        return Optional.of(new ReportedJobEnd(sentence, Optional.empty()));
    }
}

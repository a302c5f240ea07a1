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
 * @param sentence the event, to follow the name of the job's rule
 * @param savepoint the savepoint with which the job was stopped, if it was
 */
public record Ending(String sentence, Optional<String> savepoint) {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Set<String> ENDED = Set.of("FINISHED", "CANCELED", "FAILED");

    /**
     * The end of a job, empty if it failed by itself, whose reason says more. Waits until Flink's
     * statistics tell of it.
     *
     * @param job its id
     */
    public static Optional<Ending> of(FlinkRest rest, String job) {
        return of(rest, job, PATIENCE);
    }

    /** The same for a job that has long ended: what Flink's statistics tell now. */
    public static Optional<Ending> ofPast(FlinkRest rest, String job) {
        return of(rest, job, Duration.ZERO);
    }

    private static Optional<Ending> of(FlinkRest rest, String job, Duration patience) {
        try {
            String state = state(rest, job, patience);
            if (state.equals("CANCELED")) {
                return ending("was canceled");
            }
            if (state.equals("FINISHED")) {
                Optional<String> savepoint = savepoint(rest, job, patience);
                return savepoint.map(
                        path -> new Ending("was stopped with the savepoint " + path, savepoint));
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

    /** The state in which a job ended; for a few seconds, Flink may return an older one. */
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

    /** The savepoint that stopped a job, not one before it; its statistics come late, too. */
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

    private static Optional<Ending> ending(String sentence) {
        return Optional.of(new Ending(sentence, Optional.empty()));
    }
}

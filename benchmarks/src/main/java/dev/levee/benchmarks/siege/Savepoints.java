package dev.levee.benchmarks.siege;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.k8s.flink.rest.Await;
import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Takes savepoints of jobs, as an operator does. */
record Savepoints(FlinkRest rest, Path directory, JobManager jobManager) {
    /** Tells whether the JobManager runs. */
    interface JobManager {
        boolean runs() throws IOException;
    }

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /**
     * Takes a savepoint.
     *
     * @param stop true to stop the job with the savepoint
     * @return path of the savepoint; empty if the job is not running or has just begun to restart
     */
    Optional<String> take(String job, boolean stop) throws IOException {
        boolean runs = Await.until(PATIENCE, () -> gone() || ended(job) || runs(job));
        if (!runs || gone() || ended(job)) {
            return Optional.empty();
        }
        String path = "/jobs/" + job + (stop ? "/stop" : "/savepoints");
        String key = stop ? "targetDirectory" : "target-directory";
        String body = "{\"%s\":\"%s\"}".formatted(key, directory.toUri());
        String request = rest.send("POST", path, body).path("request-id").asText();
        JsonNode[] operation = new JsonNode[1];
        Await.until(
                PATIENCE,
                () -> {
                    if (gone()) {
                        return true;
                    }
                    JsonNode answer = rest.get("/jobs/" + job + "/savepoints/" + request);
                    operation[0] = answer.path("operation");
                    return answer.path("status").path("id").asText().equals("COMPLETED");
                });
        return Optional.ofNullable(operation[0]).map(each -> each.path("location").asText(null));
    }

    private boolean gone() throws IOException {
        return !jobManager.runs();
    }

    private boolean ended(String job) throws IOException {
        return state(rest.get("/jobs/" + job)).equals("FINISHED");
    }

    private boolean runs(String job) throws IOException {
        JsonNode details = rest.get("/jobs/" + job);
        boolean all = state(details).equals("RUNNING");
        for (JsonNode vertex : details.path("vertices")) {
            all &= vertex.path("status").asText().equals("RUNNING");
        }
        return all;
    }

    private static String state(JsonNode details) {
        return details.path("state").asText();
    }
}

package dev.levee;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.k8s.flink.rest.FlinkRest;

import org.assertj.core.api.Assertions;

import java.io.IOException;
import java.time.Duration;
import java.util.StringJoiner;

/** The one job that runs on a cluster, seen and steered through Flink's REST API. */
public final class RunningJob {
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final FlinkRest rest;
    private final String id;

    private RunningJob(FlinkRest rest, String id) {
        this.rest = rest;
        this.id = id;
    }

    /** Waits until a job runs. */
    public static RunningJob await(LocalCluster cluster) throws Exception {
        FlinkRest rest = cluster.rest();
        String[] found = new String[1];
        until(
                "a job runs",
                () -> {
                    for (JsonNode job : rest.get("/jobs/overview").path("jobs")) {
                        if (job.path("state").asText().equals("RUNNING")) {
                            found[0] = job.path("jid").asText();
                        }
                    }
                    return found[0] != null;
                });
        return new RunningJob(rest, found[0]);
    }

    public interface Condition {
        boolean holds() throws IOException;
    }

    /**
     * Waits for a condition, with a deadline; what the cluster cannot answer yet does not hold.
     * Asks less often the longer it waits: answers take processor time.
     */
    public static void until(String what, Condition condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        Object clock = new Object();
        int pause = 50;
        while (true) {
            try {
                if (condition.holds()) {
                    return;
                }
            } catch (IOException e) {
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("not within " + PATIENCE + ": " + what, e);
                }
            }
            Assertions.assertThat(System.nanoTime()).as(what).isLessThan(deadline);
            synchronized (clock) {
                clock.wait(pause);
            }
            pause = Math.min(200, pause + 10);
        }
    }

    /** Its id, as Flink writes it. */
    String id() {
        return id;
    }

    private JsonNode details() throws IOException {
        return rest.get("/jobs/" + id);
    }

    /** Waits until at least this many checkpoints have completed since the job was submitted. */
    public void awaitCheckpoints(int count) throws Exception {
        until(count + " checkpoints", () -> checkpoints() >= count);
    }

    int checkpoints() throws IOException {
        return rest.get("/jobs/" + id + "/checkpoints").path("counts").path("completed").asInt();
    }

    /** Waits until every vertex that can be rescaled runs at this parallelism. */
    void awaitParallelism(int parallelism) throws Exception {
        until(
                "parallelism " + parallelism,
                () -> {
                    JsonNode details = details();
                    Assertions.assertThat(details.path("state").asText())
                            .as("the run was too short to be disturbed")
                            .isNotEqualTo("FINISHED");
                    boolean all = details.path("state").asText().equals("RUNNING");
                    for (JsonNode vertex : details.path("vertices")) {
                        if (vertex.path("maxParallelism").asInt() > 1) {
                            all &= vertex.path("parallelism").asInt() == parallelism;
                            all &= vertex.path("status").asText().equals("RUNNING");
                        }
                    }
                    return all;
                });
    }

    /** Asks for another parallelism of all that can be rescaled. */
    void rescale(int parallelism) throws IOException {
        StringJoiner vertices = new StringJoiner(",", "{", "}");
        for (JsonNode vertex : details().path("vertices")) {
            int upper = Math.min(parallelism, vertex.path("maxParallelism").asInt());
            vertices.add(
                    "\"%s\":{\"parallelism\":{\"lowerBound\":1,\"upperBound\":%d}}"
                            .formatted(vertex.path("id").asText(), upper));
        }
        rest.send("PUT", "/jobs/" + id + "/resource-requirements", vertices.toString());
    }

    /** Stops the job with a savepoint and returns where it is. */
    String stopWithSavepoint(String directory) throws Exception {
        String request =
                rest.send(
                                "POST",
                                "/jobs/" + id + "/stop",
                                "{\"targetDirectory\":\"" + directory + "\",\"drain\":false}")
                        .path("request-id")
                        .asText();
        String[] location = new String[1];
        until(
                "a savepoint",
                () -> {
                    JsonNode savepoint = rest.get("/jobs/" + id + "/savepoints/" + request);
                    JsonNode operation = savepoint.path("operation");
                    Assertions.assertThat(operation.path("failure-cause").isMissingNode())
                            .as(operation.toString())
                            .isTrue();
                    location[0] = operation.path("location").asText(null);
                    return location[0] != null;
                });
        return location[0];
    }
}

package dev.levee.jobs.internal.tracking;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.learners.Score;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes to runs in an MLflow tracking server, through its REST API 2.0. The options of a run
 * become parameters. Its metrics have the names that {@link TensorBoard} gives them, in addition to
 * the scores of its summary.
 */
final class Mlflow implements Tracker {
    /** Maximum number of metrics in one request to {@code log-batch}. */
    private static final int MOST_METRICS = 1000;

    private static final int MOST_PARAMETERS = 100;

    /** Longest value of a parameter that every server of this API accepts. */
    private static final int LONGEST = 500;

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT =
            HttpClient.newBuilder()
                    // Servers that run Python applications log a warning about, or refuse, an
                    // upgrade to HTTP/2.
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(PATIENCE)
                    .build();

    private final String address;
    private final List<String> runs;
    private final Clock clock;

    private Mlflow(String address, List<String> runs, Clock clock) {
        this.address = address.replaceFirst("/+$", "");
        this.runs = runs;
        this.clock = clock;
    }

    /** Continues runs that were created before, one for each run of the invocation. */
    static Mlflow resume(String address, List<String> runs, Clock clock) {
        return new Mlflow(address, List.copyOf(runs), clock);
    }

    /**
     * Creates runs, one for each run of the invocation.
     *
     * @param address address of the server
     * @param experiment the experiment of the runs, which is created if it does not exist
     * @param names names of the runs
     * @param configurations options of the runs, in the same order
     * @throws IOException if the server refuses; one sentence
     */
    static Mlflow begin(
            String address,
            String experiment,
            List<String> names,
            List<? extends Map<String, Object>> configurations,
            Clock clock)
            throws IOException {
        Mlflow mlflow = new Mlflow(address, new ArrayList<>(), clock);
        String id = mlflow.experiment(experiment);
        for (int run = 0; run < names.size(); run++) {
            mlflow.runs.add(mlflow.create(id, names.get(run)));
            mlflow.parameters(run, configurations.get(run));
        }
        return mlflow;
    }

    /** The server's ids of the runs, in order. */
    List<String> runs() {
        return List.copyOf(runs);
    }

    private String experiment(String name) throws IOException {
        String query = URLEncoder.encode(name, StandardCharsets.UTF_8);
        HttpRequest request =
                request("experiments/get-by-name?experiment_name=" + query).GET().build();
        HttpResponse<String> response = send(request);
        return response.statusCode() == 404
                ? post("experiments/create", Map.of("name", name)).path("experiment_id").asText()
                : answer(request, response).path("experiment").path("experiment_id").asText();
    }

    private String create(String experiment, String name) throws IOException {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("experiment_id", experiment);
        body.put("run_name", name);
        body.put("start_time", clock.millis());
        body.put("tags", List.of(tag("mlflow.runName", name), tag("mlflow.source.name", "levee")));
        return post("runs/create", body).path("run").path("info").path("run_id").asText();
    }

    private void parameters(int run, Map<String, Object> configuration) throws IOException {
        List<Map<String, Object>> parameters = new ArrayList<>();
        configuration.forEach(
                (name, value) -> {
                    String text = String.valueOf(value);
                    parameters.add(tag(name, text.substring(0, Math.min(LONGEST, text.length()))));
                });
        for (int from = 0; from < parameters.size(); from += MOST_PARAMETERS) {
            int to = Math.min(from + MOST_PARAMETERS, parameters.size());
            log(run, "params", parameters.subList(from, to));
        }
    }

    private static Map<String, Object> tag(String key, String value) {
        return Map.of("key", key, "value", value);
    }

    private static void add(
            List<Map<String, Object>> metrics, String key, double value, long step, Instant when) {
        if (Double.isFinite(value)) {
            metrics.add(
                    Map.of(
                            "key",
                            key,
                            "value",
                            value,
                            "step",
                            step,
                            "timestamp",
                            when.toEpochMilli()));
        }
    }

    @Override
    public void progress(int run, long round, double loss, Score score, double scored, double speed)
            throws IOException {
        List<Map<String, Object>> metrics = new ArrayList<>();
        add(metrics, History.PROGRESS_LOSS, loss, round, clock.instant());
        add(metrics, History.progress(score), scored, round, clock.instant());
        add(metrics, History.PROGRESS_SPEED, speed, round, clock.instant());
        logMetrics(run, metrics);
    }

    @Override
    public void finished(int run, RunView view) throws IOException {
        List<Map<String, Object>> metrics = new ArrayList<>();
        History.of(view, (name, value, step, when) -> add(metrics, name, value, step, when));
        Summary summary = view.summary();
        scores(summary)
                .forEach(
                        (name, value) ->
                                add(
                                        metrics,
                                        name,
                                        value == null ? Double.NaN : value,
                                        summary.roundsDone(),
                                        clock.instant()));
        logMetrics(run, metrics);
        log(run, "tags", List.of(tag("levee.parameters.sha256", summary.parametersSha256())));
        end(run, "FINISHED");
    }

    private static Map<String, Double> scores(Summary summary) {
        Map<String, Double> scores = new LinkedHashMap<>();
        for (Score score : summary.told()) {
            scores.put("final_" + score.key(), summary.finalScore(score));
            scores.put("best_" + score.key(), summary.bestScore(score));
        }
        scores.put("final_loss", summary.finalLoss());
        scores.put("rounds_per_second", summary.roundsPerSecond());
        return scores;
    }

    @Override
    public void failed(int run) throws IOException {
        end(run, "FAILED");
    }

    private void end(int run, String status) throws IOException {
        post(
                "runs/update",
                Map.of("run_id", runs.get(run), "status", status, "end_time", clock.millis()));
    }

    private void logMetrics(int run, List<Map<String, Object>> metrics) throws IOException {
        for (int from = 0; from < metrics.size(); from += MOST_METRICS) {
            log(
                    run,
                    "metrics",
                    metrics.subList(from, Math.min(from + MOST_METRICS, metrics.size())));
        }
    }

    private void log(int run, String what, List<Map<String, Object>> entries) throws IOException {
        post("runs/log-batch", Map.of("run_id", runs.get(run), what, entries));
    }

    private JsonNode post(String path, Map<String, Object> body) throws IOException {
        HttpRequest request =
                request(path)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(JSON.writeValueAsString(body)))
                        .build();
        return answer(request, send(request));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(address + "/api/2.0/mlflow/" + path))
                .timeout(PATIENCE);
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException {
        try {
            return CLIENT.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IOException(address + " does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + request.uri(), e);
        }
    }

    private static JsonNode answer(HttpRequest request, HttpResponse<String> response)
            throws IOException {
        if (response.statusCode() >= 300) {
            throw new IOException(
                    "%s answered %d: %s"
                            .formatted(
                                    request.uri(),
                                    response.statusCode(),
                                    response.body().lines().findFirst().orElse("nothing")));
        }
        try {
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new IOException(request.uri() + " did not answer with JSON", e);
        }
    }
}

package dev.levee.jobs.internal.tracking;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What MLflow's REST API 2.0 documents of the requests that are made of it: names and types of
 * fields, which are needed, limits of a batch, and that parameters do not change.
 */
public final class MlflowServer implements AutoCloseable {
    /** A run as it is kept. */
    public static final class Run {
        final String name;
        final Map<String, String> parameters = new TreeMap<>();
        final Map<String, String> tags = new TreeMap<>();
        final List<String> metrics = new ArrayList<>();
        private String status = "RUNNING";

        Run(String name) {
            this.name = name;
        }

        public String status() {
            return status;
        }
    }

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final Map<String, String> experiments = Collections.synchronizedMap(new HashMap<>());
    private final Map<String, Run> runs = Collections.synchronizedMap(new TreeMap<>());

    public MlflowServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/2.0/mlflow/", this::answer);
        server.start();
    }

    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The runs by their ids. */
    public Map<String, Run> runs() {
        return runs;
    }

    Map<String, String> experiments() {
        return experiments;
    }

    private void answer(HttpExchange request) throws IOException {
        byte[] sent = request.getRequestBody().readAllBytes();
        String path = request.getRequestURI().getPath().replaceFirst("/api/2.0/mlflow/", "");
        int status = 200;
        Object answer;
        try {
            answer = answer(request, path, sent.length == 0 ? null : JSON.readTree(sent));
        } catch (IllegalArgumentException e) {
            boolean missing = e.getMessage().equals("RESOURCE_DOES_NOT_EXIST");
            status = missing ? 404 : 400;
            answer =
                    Map.of(
                            "error_code",
                            missing ? e.getMessage() : "INVALID_PARAMETER_VALUE",
                            "message",
                            e.getMessage());
        }
        byte[] bytes = JSON.writeValueAsString(answer).getBytes(StandardCharsets.UTF_8);
        request.getResponseHeaders().add("Content-Type", "application/json");
        request.sendResponseHeaders(status, bytes.length);
        request.getResponseBody().write(bytes);
        request.close();
    }

    private Object answer(HttpExchange request, String path, JsonNode body) {
        String method = request.getRequestMethod();
        switch (method + " " + path) {
            case "GET experiments/get-by-name" -> {
                String name =
                        request.getRequestURI().getQuery().replaceFirst("experiment_name=", "");
                require(experiments.containsKey(name), "RESOURCE_DOES_NOT_EXIST");
                return Map.of("experiment", Map.of("experiment_id", experiments.get(name)));
            }
            case "POST experiments/create" -> {
                fields(body, Set.of("name"));
                String id = String.valueOf(experiments.size() + 1);
                experiments.put(text(body, "name"), id);
                return Map.of("experiment_id", id);
            }
            case "POST runs/create" -> {
                fields(body, Set.of("experiment_id", "run_name", "start_time", "tags"));
                require(experiments.containsValue(text(body, "experiment_id")), "experiment_id");
                require(body.path("start_time").isIntegralNumber(), "start_time");
                String id = "run%02d".formatted(runs.size());
                runs.put(id, new Run(text(body, "run_name")));
                tags(runs.get(id).tags, body.path("tags"));
                return Map.of("run", Map.of("info", Map.of("run_id", id)));
            }
            case "POST runs/log-batch" -> {
                fields(body, Set.of("run_id", "metrics", "params", "tags"));
                log(run(body), body);
                return Map.of();
            }
            case "POST runs/update" -> {
                fields(body, Set.of("run_id", "status", "end_time"));
                require(body.path("end_time").isIntegralNumber(), "end_time");
                String status = text(body, "status");
                require(
                        Set.of("RUNNING", "SCHEDULED", "FINISHED", "FAILED", "KILLED")
                                .contains(status),
                        "status");
                run(body).status = status;
                return Map.of();
            }
            default ->
                    throw new IllegalArgumentException("no such endpoint: " + method + " " + path);
        }
    }

    private Run run(JsonNode body) {
        require(runs.containsKey(text(body, "run_id")), "RESOURCE_DOES_NOT_EXIST");
        return runs.get(text(body, "run_id"));
    }

    private static void log(Run run, JsonNode body) {
        int entries =
                body.path("metrics").size() + body.path("params").size() + body.path("tags").size();
        require(
                entries <= 1000
                        && body.path("params").size() <= 100
                        && body.path("tags").size() <= 100,
                "a batch that is too large");
        for (JsonNode metric : body.path("metrics")) {
            fields(metric, Set.of("key", "value", "timestamp", "step"));
            require(metric.path("value").isNumber(), "value");
            require(metric.path("timestamp").isIntegralNumber(), "timestamp");
            require(metric.path("step").isIntegralNumber(), "step");
            require(text(metric, "key").matches("[\\w/. -]+"), "key");
            run.metrics.add(
                    "%s %d %s"
                            .formatted(
                                    text(metric, "key"),
                                    metric.path("step").asLong(),
                                    metric.path("value").asDouble()));
        }
        for (JsonNode parameter : body.path("params")) {
            fields(parameter, Set.of("key", "value"));
            String before = run.parameters.put(text(parameter, "key"), text(parameter, "value"));
            require(
                    before == null || before.equals(text(parameter, "value")),
                    "a parameter changed");
        }
        tags(run.tags, body.path("tags"));
    }

    private static void tags(Map<String, String> tags, JsonNode entries) {
        for (JsonNode tag : entries) {
            fields(tag, Set.of("key", "value"));
            tags.put(text(tag, "key"), text(tag, "value"));
        }
    }

    private static String text(JsonNode body, String field) {
        require(body.path(field).isTextual(), field + " has to be a string");
        return body.path(field).asText();
    }

    private static void fields(JsonNode body, Set<String> known) {
        body.fieldNames()
                .forEachRemaining(name -> require(known.contains(name), "unknown " + name));
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

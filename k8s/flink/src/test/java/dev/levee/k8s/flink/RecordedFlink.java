package dev.levee.k8s.flink;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Answers as Flink 2.2 does, also in ways that a real cluster cannot be brought to. */
public final class RecordedFlink implements AutoCloseable {
    private static final String WORKERS = "55134c516719e50bf5c4874bbdbc8723";

    /** Id of the vertex that each job's round coordinator is part of. */
    public static final String COORDINATOR = "9ecb77962fd6afda29021ec9f4463e17";

    private static final String WRITER = "4929897d756ce87c59a9e1ea5a15597b";

    /** Longest request line that Flink reads. */
    private static final int LONGEST = 4096;

    private final HttpServer server;
    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();
    private final Map<String, Map<String, String>> metrics = new ConcurrentHashMap<>();
    private final List<String> puts = new ArrayList<>();
    private final Map<String, Runnable> posts = new ConcurrentHashMap<>();
    private final Map<String, Runnable> changes = new ConcurrentHashMap<>();

    public RecordedFlink() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    FlinkRest rest() {
        return new FlinkRest(address());
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().toString();
        int code = 200;
        String answer = "{}";
        if (("GET " + path + " HTTP/1.1").length() > LONGEST) {
            code = 400;
        } else if (exchange.getRequestMethod().equals("PUT")) {
            String body =
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            synchronized (puts) {
                puts.add(path + " " + body);
            }
            answers.put(path, body);
            changes.getOrDefault(path, () -> {}).run();
        } else if (exchange.getRequestMethod().equals("PATCH")) {
            changes.getOrDefault(path, () -> {}).run();
        } else if (exchange.getRequestMethod().equals("POST") && posts.containsKey(path)) {
            posts.get(path).run();
            answer = answers.getOrDefault(path, answer);
        } else if (failures.containsKey(path)) {
            code = failures.get(path);
            answer =
                    "{\"errors\":[\"Internal server error.\",\"<Exception on server side:\\n"
                            + "java.util.concurrent.TimeoutException\\n\\tat Foo\"]}";
        } else if (metrics.containsKey(exchange.getRequestURI().getPath())) {
            answer = values(exchange.getRequestURI());
        } else if (answers.containsKey(path)) {
            answer = answers.get(path);
        } else {
            code = 404;
            answer = "{\"errors\":[\"Unable to load requested file " + path + ".\"]}";
        }
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** Answers a path with text. */
    public void answer(String path, String text) {
        failures.remove(path);
        answers.put(path, text);
    }

    /** Answers a path with an error from now on, until it is given an answer again. */
    public void fail(String path, int status) {
        failures.put(path, status);
    }

    /** Does something when somebody posts to a path, whose answer follows. */
    void onPost(String path, Runnable action) {
        posts.put(path, action);
    }

    /** Does something when somebody has put to a path, or patched it. */
    public void onChange(String path, Runnable action) {
        changes.put(path, action);
    }

    /** Everything that was put, as path and body. */
    List<String> puts() {
        synchronized (puts) {
            return List.copyOf(puts);
        }
    }

    /** A job in a state, as Flink shows it; a waiting one has no configuration. */
    public void job(
            String id, String name, String state, int parallelism, Map<String, String> config) {
        StringBuilder entries = new StringBuilder();
        config.forEach((key, value) -> entries.append(",\"%s\":\"%s\"".formatted(key, value)));
        boolean shown = !state.equals("CREATED") && !entries.isEmpty();
        answer(
                "/jobs/" + id + "/config",
                "{\"execution-config\":{\"user-config\":{%s}}}"
                        .formatted(shown ? entries.substring(1) : ""));
        answer(
                "/jobs/" + id,
                """
                {"jid":"%s","name":"%s","state":"%s","start-time":1000,"now":5000,
                 "timestamps":{"RUNNING":1000},"vertices":[
                 {"id":"%s","name":"Workers","maxParallelism":128,"parallelism":%d},
                 {"id":"%s","name":"Round coordinator","maxParallelism":128,"parallelism":%d},
                 {"id":"%s","name":"Writer","maxParallelism":1,"parallelism":1}]}"""
                        .formatted(
                                id,
                                name,
                                state,
                                WORKERS,
                                parallelism,
                                COORDINATOR,
                                parallelism,
                                WRITER));
        metrics(id, "");
        hosts(id, "10.0.0.1:4711");
    }

    /** Where the subtasks that compute gradients are, each as host:port. */
    public void hosts(String id, String... endpoints) {
        StringJoiner subtasks = new StringJoiner(",", "{\"subtasks\":[", "]}");
        for (String endpoint : endpoints) {
            subtasks.add("{\"endpoint\":\"%s\"}".formatted(endpoint));
        }
        answer("/jobs/" + id + "/vertices/" + WORKERS, subtasks.toString());
    }

    /** What the coordinator of a job shows, as {@code name=value name=value}. */
    public void metrics(String id, String values) {
        metrics.put(metricsPath(id), Map.of());
        if (!values.isEmpty()) {
            metrics(id, 2, "decidedAt=1 " + values);
        }
    }

    /** The same at one more subtask. */
    public void metrics(String id, int subtask, String values) {
        Map<String, String> all = new TreeMap<>(metrics.getOrDefault(metricsPath(id), Map.of()));
        for (String each : values.split(" ")) {
            String[] parts = each.split("=", 2);
            all.put(subtask + ".Round_coordinator." + parts[0], parts[1]);
        }
        metrics.put(metricsPath(id), all);
    }

    private static String metricsPath(String id) {
        return "/jobs/" + id + "/vertices/" + COORDINATOR + "/metrics";
    }

    /** The names of all metrics, or the values of those that are asked for. */
    private String values(URI asked) {
        Map<String, String> all = metrics.get(asked.getPath());
        StringJoiner answer = new StringJoiner(",", "[", "]");
        if (asked.getQuery() == null) {
            all.keySet().forEach(metric -> answer.add("{\"id\":\"%s\"}".formatted(metric)));
            return answer.toString();
        }
        for (String metric : asked.getQuery().substring("get=".length()).split(",")) {
            if (all.containsKey(metric)) {
                answer.add("{\"id\":\"%s\",\"value\":\"%s\"}".formatted(metric, all.get(metric)));
            }
        }
        return answer.toString();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

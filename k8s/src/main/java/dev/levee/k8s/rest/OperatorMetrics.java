package dev.levee.k8s.rest;

import com.fasterxml.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Metrics of one operator at the subtask that has the most to say. */
public final class OperatorMetrics {
    private final Map<String, Double> values;

    private OperatorMetrics(Map<String, Double> values) {
        this.values = values;
    }

    /** Of an operator of which nothing is known. */
    public static OperatorMetrics none() {
        return new OperatorMetrics(Map.of());
    }

    /**
     * Reads metrics.
     *
     * @param job id of the job
     * @param vertex id of the vertex that the operator is part of
     * @param operator its name as metrics have it, such as {@code Round_coordinator}
     * @param names the metrics; the subtask with the largest value of the first is the one read
     */
    public static OperatorMetrics read(
            FlinkRest rest, String job, String vertex, String operator, List<String> names)
            throws IOException {
        String path = "/jobs/" + job + "/vertices/" + vertex + "/metrics";
        List<String> wanted = new ArrayList<>();
        for (JsonNode metric : rest.get(path)) {
            String id = metric.path("id").asText();
            if (names.stream().anyMatch(name -> id.endsWith("." + operator + "." + name))) {
                wanted.add(id);
            }
        }
        if (wanted.isEmpty()) {
            return none();
        }
        Map<String, Map<String, Double>> bySubtask = new HashMap<>();
        String query = URLEncoder.encode(String.join(",", wanted), StandardCharsets.UTF_8);
        for (JsonNode metric : rest.get(path + "?get=" + query)) {
            String id = metric.path("id").asText();
            bySubtask
                    .computeIfAbsent(id.substring(0, id.indexOf('.')), s -> new HashMap<>())
                    .put(id.substring(id.lastIndexOf('.') + 1), number(metric.path("value")));
        }
        String leading = names.get(0);
        return bySubtask.values().stream()
                .map(OperatorMetrics::new)
                .max((a, b) -> Double.compare(a.known(leading), b.known(leading)))
                .orElse(none());
    }

    private static double number(JsonNode value) {
        try {
            return Double.parseDouble(value.asText());
        } catch (NumberFormatException e) {
            return Double.NaN; // a gauge that failed says so in words
        }
    }

    /** A metric's value; NaN if it is not known. */
    public double get(String name) {
        return values.getOrDefault(name, Double.NaN);
    }

    private double known(String name) {
        double value = get(name);
        return Double.isNaN(value) ? -1 : value;
    }
}

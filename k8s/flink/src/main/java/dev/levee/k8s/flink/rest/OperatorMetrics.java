package dev.levee.k8s.flink.rest;

import static java.util.Comparator.comparingDouble;

import com.fasterxml.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Metrics of one operator, read from the subtask with the largest value of a given metric. */
public final class OperatorMetrics {
    /** Number of values per request: Flink limits request lines to 4096 bytes. */
    private static final int AT_A_TIME = 32;

    private final Map<String, Double> values;

    private OperatorMetrics(Map<String, Double> values) {
        this.values = values;
    }

    /** The metrics of an operator without known values. */
    public static OperatorMetrics none() {
        return new OperatorMetrics(Map.of());
    }

    /**
     * Reads metrics of one operator.
     *
     * @param job id of the job
     * @param vertex id of the operator's vertex
     * @param operator name of the operator in metrics, such as {@code Round_coordinator}
     * @param names the metrics; those of the subtask with the largest value of the first metric are
     *     read
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
        List<String> leading = wanted.stream().filter(id -> name(id).equals(names.get(0))).toList();
        Optional<String> most =
                values(rest, path, leading).entrySet().stream()
                        .max(comparingDouble(each -> known(each.getValue())))
                        .map(each -> subtask(each.getKey()));
        if (most.isEmpty()) {
            return none();
        }
        wanted.removeIf(id -> !subtask(id).equals(most.get()));
        Map<String, Double> values = new HashMap<>();
        values(rest, path, wanted).forEach((id, value) -> values.put(name(id), value));
        return new OperatorMetrics(values);
    }

    private static Map<String, Double> values(FlinkRest rest, String path, List<String> ids)
            throws IOException {
        Map<String, Double> values = new HashMap<>();
        for (int from = 0; from < ids.size(); from += AT_A_TIME) {
            List<String> some = ids.subList(from, Math.min(ids.size(), from + AT_A_TIME));
            String query = URLEncoder.encode(String.join(",", some), StandardCharsets.UTF_8);
            for (JsonNode metric : rest.get(path + "?get=" + query)) {
                values.put(metric.path("id").asText(), number(metric.path("value")));
            }
        }
        return values;
    }

    private static String subtask(String id) {
        return id.substring(0, id.indexOf('.'));
    }

    private static String name(String id) {
        return id.substring(id.lastIndexOf('.') + 1);
    }

    private static double number(JsonNode value) {
        try {
            return Double.parseDouble(value.asText());
        } catch (NumberFormatException e) {
            return Double.NaN; // a gauge that failed has a text instead of a number
        }
    }

    /** A metric's value; NaN if it is unknown. */
    public double get(String name) {
        return values.getOrDefault(name, Double.NaN);
    }

    private static double known(double value) {
        return Double.isNaN(value) ? -1 : value;
    }
}

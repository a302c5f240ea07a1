package dev.levee.jobs.internal.run;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.k8s.rest.FlinkRest;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How far one job is, from the metrics that its operators show. */
final class JobProgress {
    /**
     * A moment; NaN where nothing is known yet.
     *
     * @param status of the job, as Flink calls it
     * @param round number of rounds done, of the size that the run starts with
     * @param loss training loss of the last one
     * @param accuracy at the last evaluation
     * @param roundsPerSecond lately
     * @param answered complete gradients of the open round
     * @param quorum how many it needs
     */
    record Moment(
            String status,
            double round,
            double loss,
            double accuracy,
            double roundsPerSecond,
            double answered,
            double quorum) {
        static final Moment NOTHING =
                new Moment(
                        "CREATED",
                        Double.NaN,
                        Double.NaN,
                        Double.NaN,
                        Double.NaN,
                        Double.NaN,
                        Double.NaN);

        /** The same job in another status, of which nothing more is known. */
        Moment in(String other) {
            return new Moment(
                    other, round, loss, accuracy, roundsPerSecond, Double.NaN, Double.NaN);
        }
    }

    private static final List<String> COORDINATOR =
            List.of(
                    "decidedAt",
                    "rounds",
                    "samples",
                    "samplesTotal",
                    "activeWorkers",
                    "batchSize",
                    "loss",
                    "roundsPerSecond",
                    "answered",
                    "quorum");

    private final FlinkRest rest;
    private final String job;

    JobProgress(FlinkRest rest, String job) {
        this.rest = rest;
        this.job = job;
    }

    Moment now() throws IOException {
        JsonNode details = rest.get("/jobs/" + job);
        String status = details.path("state").asText();
        Map<String, Double> coordinator = Map.of();
        Map<String, Double> evaluation = Map.of();
        for (JsonNode vertex : details.path("vertices")) {
            String name = vertex.path("name").asText();
            String id = vertex.path("id").asText();
            if (name.contains("Round coordinator")) {
                coordinator = metrics(id, "Round_coordinator", COORDINATOR);
            }
            if (name.contains("Evaluation")) {
                evaluation = metrics(id, "Evaluation", List.of("testAccuracy"));
            }
        }
        double nominal =
                coordinator.getOrDefault("samplesTotal", Double.NaN)
                        / coordinator.getOrDefault("rounds", Double.NaN);
        double size =
                coordinator.getOrDefault("activeWorkers", Double.NaN)
                        * coordinator.getOrDefault("batchSize", Double.NaN);
        return new Moment(
                status,
                coordinator.getOrDefault("samples", Double.NaN) / nominal,
                coordinator.getOrDefault("loss", Double.NaN),
                evaluation.getOrDefault("testAccuracy", Double.NaN),
                coordinator.getOrDefault("roundsPerSecond", Double.NaN) * size / nominal,
                coordinator.getOrDefault("answered", Double.NaN),
                coordinator.getOrDefault("quorum", Double.NaN));
    }

    /** Values of an operator's metrics at the subtask that has the most to say. */
    private Map<String, Double> metrics(String vertex, String operator, List<String> names)
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
            return Map.of();
        }
        Map<String, Map<String, Double>> bySubtask = new HashMap<>();
        String query = URLEncoder.encode(String.join(",", wanted), StandardCharsets.UTF_8);
        for (JsonNode metric : rest.get(path + "?get=" + query)) {
            String id = metric.path("id").asText();
            bySubtask
                    .computeIfAbsent(id.substring(0, id.indexOf('.')), s -> new HashMap<>())
                    .put(
                            id.substring(id.lastIndexOf('.') + 1),
                            Double.parseDouble(metric.path("value").asText("NaN")));
        }
        String leading = names.get(0);
        return bySubtask.values().stream()
                .max((a, b) -> Double.compare(known(a.get(leading)), known(b.get(leading))))
                .orElse(Map.of());
    }

    private static double known(Double value) {
        return value == null || value.isNaN() ? -1 : value;
    }
}

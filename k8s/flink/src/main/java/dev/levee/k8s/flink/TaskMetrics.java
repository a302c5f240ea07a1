package dev.levee.k8s.flink;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads the metrics of a job of independent tasks ({@link ElasticRequest#ofTasks}). Each subtask of
 * its operator shows the number of its completed tasks ({@value #DONE}), the number of these that
 * were restored after a restart ({@value #RESTORED}), the seconds that the others took ({@value
 * #SECONDS}), and the number of the job's tasks ({@value #ALL}).
 */
final class TaskMetrics {
    static final String DONE = "fits";
    static final String RESTORED = "fitsRestored";
    static final String SECONDS = "fitSeconds";
    static final String ALL = "fitsTotal";

    private TaskMetrics() {}

    /**
     * Reads the metrics in the form of a round coordinator's: a round is a task in each slot. Slots
     * do not wait for one another, so their throughput follows from the mean time of a task.
     *
     * @param vertex id of the operator's vertex
     * @param operator name of the operator
     * @param slots its current number of subtasks; Flink still shows metrics of earlier subtasks
     */
    static CoordinatorMetrics read(
            FlinkRest rest, String job, String vertex, String operator, int slots)
            throws IOException {
        String path = "/jobs/%s/vertices/%s/subtasks/metrics".formatted(job, vertex);
        String names =
                String.join(",", name(operator, DONE), name(operator, RESTORED))
                        + ","
                        + String.join(",", name(operator, SECONDS), name(operator, ALL));
        Map<String, JsonNode> values = new HashMap<>();
        for (JsonNode each :
                rest.get("%s?get=%s&agg=sum,max&subtasks=0-%d".formatted(path, names, slots - 1))) {
            values.put(each.path("id").asText(), each);
        }
        double done = value(values, name(operator, DONE), "sum");
        double timed = done - value(values, name(operator, RESTORED), "sum");
        double rate = slots * timed / value(values, name(operator, SECONDS), "sum");
        return CoordinatorMetrics.ofTasks(
                done,
                value(values, name(operator, ALL), "max"),
                slots,
                timed > 0 ? rate : Double.NaN);
    }

    private static String name(String operator, String metric) {
        return operator + "." + metric;
    }

    private static double value(Map<String, JsonNode> values, String id, String aggregate) {
        return values.containsKey(id)
                ? values.get(id).path(aggregate).asDouble(Double.NaN)
                : Double.NaN;
    }
}

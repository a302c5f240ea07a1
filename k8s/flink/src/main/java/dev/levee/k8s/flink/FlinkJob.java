package dev.levee.k8s.flink;

import dev.levee.k8s.allocator.Observation;

import java.util.Map;
import java.util.Optional;

/**
 * An elastic job as Flink shows it at one moment.
 *
 * @param id Flink's id of it
 * @param name its name
 * @param state its state in Flink's words
 * @param control URI of its control file; absent if it never ran while we looked, because Flink
 *     shows the configuration of running jobs only
 * @param vertices its vertices: id and maximum parallelism
 * @param setsRate true if its learning rate follows its batch by itself
 * @param metrics the metrics of its round coordinator
 * @param observation the same as the allocator wants it
 */
public record FlinkJob(
        String id,
        String name,
        String state,
        Optional<String> control,
        Map<String, Integer> vertices,
        boolean setsRate,
        CoordinatorMetrics metrics,
        Observation observation) {
    /** A copy of its own. */
    public FlinkJob {
        vertices = Map.copyOf(vertices);
    }
}

package dev.levee.k8s.flink;

import dev.levee.k8s.allocator.Observation;

import java.util.Map;
import java.util.Optional;

/**
 * An elastic job as Flink shows it at one moment.
 *
 * @param id the job's id in Flink
 * @param name its name
 * @param state its state in Flink's terms
 * @param control URI of its control file; absent if the job was never seen running, because Flink
 *     shows the configuration of running jobs only
 * @param vertices its vertices: id and maximum parallelism
 * @param setsRate true if the job adapts its learning rate to its batch itself
 * @param metrics the metrics of its round coordinator
 * @param observation the job's state in the allocator's terms
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
    /** Copies the map. */
    public FlinkJob {
        vertices = Map.copyOf(vertices);
    }
}

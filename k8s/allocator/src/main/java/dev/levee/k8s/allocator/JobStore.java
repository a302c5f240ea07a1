package dev.levee.k8s.allocator;

import java.util.Optional;
import java.util.Set;

/** Storage of the allocator's memory: a file, a ConfigMap, or memory. */
public interface JobStore {
    /** The memory of a job. */
    Optional<JobMemory> find(String job);

    /** Saves the memory of a job, replacing the previous one. */
    void save(String job, JobMemory memory);

    /** Removes a job; does nothing if it is unknown. */
    void remove(String job);

    /** The ids of all remembered jobs. */
    Set<String> jobs();

    /** Number of decisions that changed the workers of some running job. */
    long scalingRounds();

    /** Sets the number of decisions that changed the workers of some running job. */
    void saveScalingRounds(long rounds);

    /** Makes saved data durable. Until then, data may be lost if the process ends. */
    default void flush() {}
}

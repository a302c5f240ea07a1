package dev.levee.k8s.allocator;

import java.util.Optional;
import java.util.Set;

/** Storage of the allocator's memory: a file, a ConfigMap, or memory. */
public interface JobStore {
    /** The memory of a job. */
    Optional<JobMemory> find(String job);

    /** Remembers it, in place of what was remembered before. */
    void save(String job, JobMemory memory);

    /** Forgets a job; nothing happens if it is not known. */
    void remove(String job);

    /** The ids of all remembered jobs. */
    Set<String> jobs();

    /** Number of decisions that changed the workers of some running job. */
    long scalingRounds();

    /** Sets that number. */
    void saveScalingRounds(long rounds);

    /** Makes what was saved last; until then an end of the process may lose it. */
    default void flush() {}
}

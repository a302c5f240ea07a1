package dev.levee.k8s.kubernetes;

import dev.levee.k8s.allocator.Observation;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/** Reads a running job from the REST service of its Flink cluster, on any thread. */
@FunctionalInterface
public interface Jobs {
    /**
     * Reads the current state of the job.
     *
     * @return empty if there is no such job, or it is not elastic
     * @throws IOException if the service does not answer
     * @throws IllegalArgumentException if the job's request is invalid; one sentence
     */
    Optional<Observation> read(URI rest, String jobId) throws IOException;

    /** True if there is such a job, elastic or not. */
    default boolean knows(URI rest, String jobId) throws IOException {
        return true;
    }

    /** Forgets all other jobs. */
    default void retain(Set<String> jobIds) {}
}

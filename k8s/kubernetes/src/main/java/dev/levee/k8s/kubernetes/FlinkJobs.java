package dev.levee.k8s.kubernetes;

import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.flink.JobReader;
import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads running jobs on any number of Flink clusters, with one reader per cluster. Jobs on
 * different clusters may be read at the same time.
 */
public final class FlinkJobs implements Jobs {
    private final Map<URI, JobReader> readers = new ConcurrentHashMap<>();

    @Override
    public Optional<Observation> read(URI rest, String jobId) throws IOException {
        JobReader reader =
                readers.computeIfAbsent(rest, address -> new JobReader(new FlinkRest(address)));
        synchronized (reader) {
            return reader.read(jobId);
        }
    }

    @Override
    public boolean knows(URI rest, String jobId) throws IOException {
        return new FlinkRest(rest).knows(jobId);
    }

    @Override
    public void retain(Set<String> jobIds) {
        readers.values().removeIf(reader -> !reader.keep(jobIds));
    }
}

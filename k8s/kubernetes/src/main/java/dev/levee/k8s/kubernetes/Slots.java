package dev.levee.k8s.kubernetes;

import dev.levee.k8s.allocator.Observation;

import java.io.IOException;
import java.util.List;

/** Counts the workers that fit into a cluster. */
@FunctionalInterface
public interface Slots {
    /**
     * The number of workers that fit, over all participating jobs.
     *
     * @param resources the resources of running and waiting jobs
     * @param jobs observations of these jobs
     * @throws IOException if the number is unknown; one sentence
     */
    int count(List<FlinkResource> resources, List<Observation> jobs) throws IOException;

    /** A fixed number of workers. */
    static Slots fixed(int slots) {
        return (resources, jobs) -> slots;
    }
}

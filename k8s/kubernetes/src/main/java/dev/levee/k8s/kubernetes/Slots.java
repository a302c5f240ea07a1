package dev.levee.k8s.kubernetes;

import dev.levee.k8s.allocator.Observation;

import java.io.IOException;
import java.util.List;

/** Number of workers that fit. */
@FunctionalInterface
public interface Slots {
    /**
     * Room for all jobs that take part.
     *
     * @param resources those of the jobs that run or wait
     * @param jobs the jobs themselves
     * @throws IOException if it cannot be told; one sentence
     */
    int count(List<FlinkResource> resources, List<Observation> jobs) throws IOException;

    /** A fixed number. */
    static Slots fixed(int slots) {
        return (resources, jobs) -> slots;
    }
}

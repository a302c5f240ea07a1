package dev.levee.connectors.data;

import dev.levee.connectors.data.internal.Partitions;

import java.io.Serializable;

/** How the samples of a data set are dealt to workers. Deterministic by seed. */
public interface Partition extends Serializable {
    /** Name with parameters, in the form that {@link #parse} reads back. */
    String name();

    /**
     * Deals samples to workers.
     *
     * @param labels label of each sample
     * @param classes number of classes
     * @param workers number of workers
     * @return for each worker the indexes of its samples, never empty
     */
    int[][] deal(int[] labels, int classes, int workers, long seed);

    /** Reads {@code iid}, {@code dirichlet(α)}, {@code by-class} or {@code gamma(γ)}. */
    static Partition parse(String text) {
        return Partitions.parse(text);
    }
}

package dev.levee.connectors.data;

import java.util.Optional;

/**
 * Makes a partition by its name. Whoever brings a partition of their own implements this with a
 * public constructor without parameters and announces it to {@link java.util.ServiceLoader}; from
 * then on {@link Partition#parse} knows it.
 */
public interface PartitionFactory {
    /** The name in lower case with hyphens. */
    String name();

    /** How it is written, for messages: {@code dirichlet(α)}. */
    default String form() {
        return name();
    }

    /**
     * Makes the partition.
     *
     * @param parameter what stands between the parentheses, if there are any
     * @throws IllegalArgumentException if the parameter means nothing; one sentence
     */
    Partition create(Optional<String> parameter);
}

package dev.levee.connectors.data;

import java.util.Optional;

/**
 * Creates a partition by name. To add a partition, implement this interface with a public
 * constructor without parameters and register it with {@link java.util.ServiceLoader}; {@link
 * Partition#parse} then accepts it.
 */
public interface PartitionFactory {
    /** The name in lower case with hyphens. */
    String name();

    /** The syntax of the name with its parameter, for messages, such as {@code dirichlet(α)}. */
    default String form() {
        return name();
    }

    /**
     * Creates the partition.
     *
     * @param parameter the text between the parentheses, if any
     * @throws IllegalArgumentException if the parameter is invalid; one sentence
     */
    Partition create(Optional<String> parameter);
}

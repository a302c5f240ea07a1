package dev.levee.connectors.data;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/** Deals the samples of a data set to workers. The same seed gives the same result. */
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

    /**
     * Samples that {@link #deal} leaves out of each worker's share, to evaluate a model on that
     * worker's own data.
     *
     * @param labels as for {@link #deal}
     * @return for each worker the indexes of these samples; none by default
     */
    default int[][] heldOut(int[] labels, int classes, int workers, long seed) {
        return new int[workers][0];
    }

    /**
     * True if this partition depends on owners. {@link #deal} then receives owners instead of
     * labels, and the number of owners instead of the number of classes.
     */
    default boolean byOwners() {
        return false;
    }

    /** True if this partition depends on classes. It then refuses samples with targets. */
    default boolean byClasses() {
        return false;
    }

    /**
     * Parses {@code iid}, {@code dirichlet(α)}, {@code by-class}, {@code gamma(γ)}, {@code
     * fegan(…)}, {@code natural}, or a name that another {@link PartitionFactory} provides.
     *
     * @throws IllegalArgumentException if the name or its parameter is invalid; one sentence
     */
    static Partition parse(String text) {
        String stripped = text.strip();
        int open = stripped.endsWith(")") ? stripped.indexOf('(') : -1;
        String name = open < 0 ? stripped : stripped.substring(0, open).strip();
        Optional<String> parameter =
                open < 0
                        ? Optional.empty()
                        : Optional.of(stripped.substring(open + 1, stripped.length() - 1));
        return Providers.of(PartitionFactory.class, "partition", PartitionFactory::name, List.of())
                .get(name, text, PartitionFactory::form)
                .create(parameter);
    }
}

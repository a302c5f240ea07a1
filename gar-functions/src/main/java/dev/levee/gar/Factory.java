package dev.levee.gar;

import java.util.List;

/**
 * Makes a thing by its name. Whoever brings a rule, a pre-aggregation or an attack of their own
 * implements {@link RuleFactory}, {@link PreAggregationFactory} or {@link AttackFactory} and
 * announces it to {@link java.util.ServiceLoader}; from then on it is known by name everywhere.
 */
public interface Factory<T> {
    /** The name in lower case with hyphens; one that Levee uses itself is refused. */
    String name();

    /** The parameters' names, in the order in which bare values are given. */
    default List<String> parameters() {
        return List.of();
    }

    /**
     * Makes the thing.
     *
     * @throws IllegalArgumentException if an argument's value is wrong
     */
    T create(Arguments arguments);
}

package dev.levee.gar;

import java.util.List;

/**
 * Creates an object by name. To add a rule, pre-aggregation or attack, implement {@link
 * RuleFactory}, {@link PreAggregationFactory} or {@link AttackFactory} and register it with {@link
 * java.util.ServiceLoader}.
 */
public interface Factory<T> {
    /** The name in lower case with hyphens; Levee's own names are refused. */
    String name();

    /** The parameters' names, in the order of positional values. */
    default List<String> parameters() {
        return List.of();
    }

    /**
     * Creates the object.
     *
     * @throws IllegalArgumentException if an argument's value is wrong
     */
    T create(Arguments arguments);
}

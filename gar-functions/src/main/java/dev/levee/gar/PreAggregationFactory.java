package dev.levee.gar;

/**
 * Creates a pre-aggregation that is not part of Levee; found by {@link java.util.ServiceLoader}.
 */
public interface PreAggregationFactory extends Factory<PreAggregation> {}

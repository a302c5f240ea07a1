package dev.levee.gar;

/** Makes a pre-aggregation from outside Levee, found by {@link java.util.ServiceLoader}. */
public interface PreAggregationFactory extends Factory<PreAggregation> {}

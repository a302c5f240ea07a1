package dev.levee.gar;

/**
 * Position of a call's coordinates in the whole vector, and the round. Draws per coordinate depend
 * only on this, never on how the vector is split.
 *
 * @param first index of the first coordinate in the whole vector
 * @param dimension length of the whole vector that rules see
 * @param seed the run's seed
 * @param round the round's number
 */
public record Span(long first, long dimension, long seed, long round) {}

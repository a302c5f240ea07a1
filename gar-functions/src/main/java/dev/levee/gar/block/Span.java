package dev.levee.gar.block;

/**
 * Position of a call's coordinates in the whole vector, and the round. Draws per coordinate depend
 * only on these values, never on how the vector is split.
 *
 * @param first index in the whole vector of the call's first coordinate
 * @param dimension length of the whole vector that rules see
 * @param seed the run's seed
 * @param round the round's number
 */
public record Span(long first, long dimension, long seed, long round) {}

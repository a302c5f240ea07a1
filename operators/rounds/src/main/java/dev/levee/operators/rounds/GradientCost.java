package dev.levee.operators.rounds;

/**
 * The cost of one gradient.
 *
 * @param samples samples it was computed on; fewer than the round asked for if more took too much
 *     memory
 * @param nanos time spent computing
 * @param bytes memory that it held at its most, 0 if unknown
 */
public record GradientCost(int samples, long nanos, long bytes) {}

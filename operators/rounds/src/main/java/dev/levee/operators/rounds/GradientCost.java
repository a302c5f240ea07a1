package dev.levee.operators.rounds;

/**
 * The cost of one gradient.
 *
 * @param samples number of samples; fewer than the round asks for if more did not fit into memory
 * @param nanos time spent computing
 * @param bytes peak memory in bytes, 0 if unknown
 */
public record GradientCost(int samples, long nanos, long bytes) {}

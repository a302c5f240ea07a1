package dev.levee.operators.flink.window;

/**
 * A round that closed without an aggregate.
 *
 * @param key the key, as text
 * @param round number of the round; of other windows than rounds their last millisecond
 * @param rows usable rows it had
 * @param faults rows that were proven faults
 * @param reason why, one sentence
 */
public record Unaggregated(String key, long round, int rows, int faults, String reason) {}

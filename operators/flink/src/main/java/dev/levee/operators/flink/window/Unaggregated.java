package dev.levee.operators.flink.window;

/**
 * A round that closed without an aggregate.
 *
 * @param key the key, as text
 * @param round number of the round; for other windows, their last millisecond
 * @param rows number of usable rows
 * @param faults rows that were proven faults
 * @param reason the reason, one sentence
 */
public record Unaggregated(String key, long round, int rows, int faults, String reason) {}

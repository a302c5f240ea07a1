package dev.levee.operators.flink.window;

/**
 * A row that arrived after its round had closed.
 *
 * @param key the key, as text
 * @param round number of the round
 * @param worker the sender
 * @param values its coordinates
 */
public record LateRow(String key, long round, long worker, float[] values) {}

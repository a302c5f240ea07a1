package dev.levee.operators.flink.window;

/**
 * The result of one round of one key.
 *
 * @param key the key, as text
 * @param round number of the round; for other windows, their last millisecond
 * @param values the aggregate, d coordinates
 * @param rows number of rows aggregated, n − k
 * @param byzantine number of Byzantine rows that the rule tolerated among them, f − k
 * @param faults rows that were proven faults, k: non-finite or of the wrong length
 */
public record Aggregate(
        String key, long round, float[] values, int rows, int byzantine, int faults) {}

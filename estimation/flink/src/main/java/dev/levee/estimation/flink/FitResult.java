package dev.levee.estimation.flink;

/**
 * What a task predicts.
 *
 * @param task its number
 * @param repetition that it belongs to
 * @param predictions as {@link dev.levee.estimation.CrossFitting#run} has them
 * @param seconds that it took
 */
public record FitResult(int task, int repetition, double[] predictions, double seconds) {}

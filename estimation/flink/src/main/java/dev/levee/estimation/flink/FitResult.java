package dev.levee.estimation.flink;

/**
 * The predictions of a task.
 *
 * @param task its number
 * @param repetition its repetition
 * @param predictions as returned by {@link dev.levee.estimation.fitting.CrossFitting#run}
 * @param seconds time of the task
 */
public record FitResult(int task, int repetition, double[] predictions, double seconds) {}

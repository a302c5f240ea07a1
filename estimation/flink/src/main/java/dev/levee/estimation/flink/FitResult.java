package dev.levee.estimation.flink;

/**
 * The predictions of a task.
 *
 * @param task number of the task
 * @param repetition repetition of the task
 * @param predictions as returned by {@link dev.levee.estimation.fitting.CrossFitting#run}
 * @param seconds duration of the task
 */
public record FitResult(int task, int repetition, double[] predictions, double seconds) {}

package dev.levee.operators.tasks;

/**
 * Runs tasks one after the other, on a dedicated thread.
 *
 * @param <R> the result of a task
 */
public interface TaskRunner<R> extends AutoCloseable {
    /**
     * Runs a task. An exception fails the job without a restart, because the same task would fail
     * again.
     *
     * @param task number of the task
     */
    R run(int task);

    /**
     * Ends this runner. Another thread may call this method while a task runs; the task is then
     * interrupted.
     */
    @Override
    void close();
}

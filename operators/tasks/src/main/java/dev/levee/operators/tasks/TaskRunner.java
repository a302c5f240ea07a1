package dev.levee.operators.tasks;

/**
 * Runs tasks one after the other, on a thread of its own.
 *
 * @param <R> the result of a task
 */
public interface TaskRunner<R> extends AutoCloseable {
    /**
     * Runs a task. An exception fails the job without a restart, since the same task would fail
     * again.
     *
     * @param task its number
     */
    R run(int task);

    /** Ends this runner; another thread may call it while a task runs, which is interrupted. */
    @Override
    void close();
}

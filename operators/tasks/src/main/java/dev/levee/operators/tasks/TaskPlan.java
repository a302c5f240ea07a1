package dev.levee.operators.tasks;

import java.io.Serializable;

/**
 * The tasks of a job.
 *
 * @param <R> the result of a task
 */
public interface TaskPlan<R> extends Serializable {
    /** Number of tasks n; tasks are numbered from 0 to n − 1. */
    int tasks();

    /**
     * Prepares a slot for its tasks. Called on the thread that runs the tasks, before the first
     * task. An exception fails the job, which Flink may restart.
     */
    TaskRunner<R> open();
}

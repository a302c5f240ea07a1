package dev.levee.operators.tasks;

import java.io.Serializable;

/**
 * Which tasks a job has.
 *
 * @param <R> the result of a task
 */
public interface TaskPlan<R> extends Serializable {
    /** How many there are; their numbers are 0 to this − 1. */
    int tasks();

    /** Prepares a slot for its tasks. Called on the thread that runs them, before the first one. */
    TaskRunner<R> open();
}

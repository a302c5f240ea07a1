/**
 * A bounded source whose splits are tasks, for jobs of independent computations that may take
 * minutes each. Read {@link dev.levee.operators.tasks.TaskSource} first. Does not depend on what
 * the tasks compute.
 */
package dev.levee.operators.tasks;

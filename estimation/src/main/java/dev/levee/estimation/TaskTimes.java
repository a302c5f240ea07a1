package dev.levee.estimation;

import java.io.Serializable;

/**
 * The durations of tasks.
 *
 * @param count how many there were
 * @param seconds all together
 * @param longest seconds of the longest
 */
public record TaskTimes(int count, double seconds, double longest) implements Serializable {
    /** The times of no task. */
    public static final TaskTimes NONE = new TaskTimes(0, 0, 0);

    /** With one task more. */
    public TaskTimes plus(double taskSeconds) {
        return plus(new TaskTimes(1, taskSeconds, taskSeconds));
    }

    /** Together with others. */
    public TaskTimes plus(TaskTimes others) {
        return new TaskTimes(
                count + others.count, seconds + others.seconds, Math.max(longest, others.longest));
    }
}

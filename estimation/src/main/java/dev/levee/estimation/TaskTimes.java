package dev.levee.estimation;

import java.io.Serializable;

/**
 * The durations of tasks.
 *
 * @param count number of tasks
 * @param seconds sum of all durations
 * @param longest duration of the longest task in seconds
 */
public record TaskTimes(int count, double seconds, double longest) implements Serializable {
    /** The durations of no tasks. */
    public static final TaskTimes NONE = new TaskTimes(0, 0, 0);

    /** These durations and that of one more task. */
    public TaskTimes plus(double taskSeconds) {
        return plus(new TaskTimes(1, taskSeconds, taskSeconds));
    }

    /** These durations and others. */
    public TaskTimes plus(TaskTimes others) {
        return new TaskTimes(
                count + others.count, seconds + others.seconds, Math.max(longest, others.longest));
    }
}

package dev.levee.jobs.internal.report;

import java.util.List;

/**
 * The trackers that follow an invocation's runs.
 *
 * @param tensorboard directory of event files, null for none
 * @param mlflow address of a tracking server, null for none
 * @param mlflowRuns ids of the runs at that server, in order; empty before they are created, and an
 *     empty text for a run that had results before
 * @param complete true if the trackers have received the results of all runs
 */
public record Tracking(
        String tensorboard, String mlflow, List<String> mlflowRuns, boolean complete) {
    /** No trackers. */
    public static final Tracking NONE = new Tracking(null, null, List.of(), false);

    public Tracking {
        mlflowRuns = List.copyOf(mlflowRuns);
    }

    /** Returns this with the ids of runs. */
    public Tracking with(List<String> runs) {
        return new Tracking(tensorboard, mlflow, runs, complete);
    }

    /** Returns this, marked as complete. */
    public Tracking completed() {
        return new Tracking(tensorboard, mlflow, mlflowRuns, true);
    }
}

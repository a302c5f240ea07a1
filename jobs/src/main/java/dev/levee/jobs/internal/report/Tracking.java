package dev.levee.jobs.internal.report;

import java.util.List;

/**
 * The programs that are told of the progress of an invocation's runs.
 *
 * @param tensorboard directory of event files, null for none
 * @param mlflow address of a tracking server, null for none
 * @param mlflowRuns the ids of the runs at that server, in order; empty before they are begun
 * @param complete true if they have been told the end
 */
public record Tracking(
        String tensorboard, String mlflow, List<String> mlflowRuns, boolean complete) {
    /** No tracker. */
    public static final Tracking NONE = new Tracking(null, null, List.of(), false);

    public Tracking {
        mlflowRuns = List.copyOf(mlflowRuns);
    }

    /** The same with these runs. */
    public Tracking with(List<String> runs) {
        return new Tracking(tensorboard, mlflow, runs, complete);
    }

    /** The same at its end. */
    public Tracking completed() {
        return new Tracking(tensorboard, mlflow, mlflowRuns, true);
    }
}

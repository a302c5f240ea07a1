package dev.levee.jobs.internal.tracking;

import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.learners.Score;

import java.io.IOException;

/** Reports the progress of an invocation's runs to another program. */
interface Tracker {
    /**
     * Receives the progress of a run; NaN for unknown values.
     *
     * @param run index of the run
     * @param round number of finished rounds
     * @param loss training loss of about that round
     * @param score the score by which models are compared
     * @param scored value of the score at the latest evaluation
     * @param roundsPerSecond current number of rounds per second
     */
    void progress(
            int run, long round, double loss, Score score, double scored, double roundsPerSecond)
            throws IOException;

    /** Receives all results of a run, version by version. */
    void finished(int run, RunView view) throws IOException;

    /** Called when a run has ended without results. */
    void failed(int run) throws IOException;
}

package dev.levee.jobs.internal.tracking;

import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.learners.Score;

import java.io.IOException;

/** Tells another program how the runs of an invocation go. */
interface Tracker {
    /**
     * Receives the progress of a run; NaN for unknown values.
     *
     * @param run its index
     * @param round number of rounds done
     * @param loss training loss of about that round
     * @param score which one models are compared by
     * @param scored at the newest evaluation
     * @param roundsPerSecond lately
     */
    void progress(
            int run, long round, double loss, Score score, double scored, double roundsPerSecond)
            throws IOException;

    /** Receives all results of a run, version by version. */
    void finished(int run, RunView view) throws IOException;

    /** A run has ended without results. */
    void failed(int run) throws IOException;
}

package dev.levee.jobs.internal.run;

import dev.levee.jobs.internal.run.follow.Terminal;

import java.io.IOException;
import java.util.List;

/** A detached run that a command reconnects to. */
public interface LeftRun {
    /** The state of a job whose cluster does not answer. */
    String UNKNOWN = "UNKNOWN";

    /**
     * The state of one of the run's jobs.
     *
     * @param rule name of the job's rule, or of its estimate
     * @param state state as Flink names it, or a word for a missing job
     * @param about further facts, perhaps empty
     * @param well true if the job is running, waiting, or has written its results
     * @param ended true if no job of it runs, and none starts unless a command resumes it
     */
    record State(String rule, String state, String about, boolean well, boolean ended) {}

    /**
     * Follows the jobs until they end, and shows their results. If they have ended, shows the
     * results at once.
     *
     * @throws Exception if a job failed or was ended
     */
    void attach(Terminal terminal) throws Exception;

    /** The progress of each of the run's jobs. */
    List<State> status() throws IOException;

    /**
     * Cancels the jobs that have not ended, and prints how to continue the run.
     *
     * @throws IllegalStateException if a job may still run; one sentence
     */
    void cancel(Terminal terminal) throws IOException;
}

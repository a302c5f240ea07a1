package dev.levee.jobs.internal.run;

import dev.levee.jobs.internal.run.follow.Terminal;

import java.io.IOException;
import java.util.List;

/** A submitted run that the user comes back to. */
public interface LeftRun {
    /**
     * The state of one of its jobs.
     *
     * @param rule the name of its rule, or of its estimate
     * @param state as Flink calls it, or that there is none
     * @param about further facts, perhaps empty
     * @param well true if it runs, will run, or has left its results
     */
    record State(String rule, String state, String about, boolean well) {}

    /**
     * Follows its jobs until they end and shows their results, or shows them at once if they have.
     *
     * @throws Exception the failure of one of them, or a sentence about what became of it
     */
    void attach(Terminal terminal) throws Exception;

    /** The progress of each of its jobs. */
    List<State> status() throws IOException;

    /**
     * Cancels those of its jobs that have not ended, and says how it could continue.
     *
     * @throws IllegalStateException if one may still run; one sentence
     */
    void cancel(Terminal terminal) throws IOException;
}

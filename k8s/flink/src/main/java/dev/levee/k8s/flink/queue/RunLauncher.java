package dev.levee.k8s.flink.queue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The functions of the engine and of file systems that a queue needs. */
public interface RunLauncher {
    /**
     * Submits a job. One whose id the cluster knows already is left as it is.
     *
     * @param folder the folder of the run in the queue, with what was put there when it was queued
     * @param job its id
     * @param restore URI of what it continues from; null if it begins
     * @param least fewest workers
     * @param workers most workers
     * @throws IOException if it may not have been submitted
     */
    void start(Path folder, String job, String restore, int least, int workers) throws IOException;

    /**
     * URI of the newest complete savepoint or checkpoint below a folder; empty if there is none.
     */
    Optional<String> newest(String folder) throws IOException;

    /** True if a run has left its results in its output folder. */
    boolean finished(String output) throws IOException;

    /** Deletes a folder and all below it; one that is not there is no error. */
    void delete(String folder) throws IOException;
}

package dev.levee.k8s.flink.queue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Submits jobs to the engine and accesses the file systems of runs, on behalf of a queue. */
public interface RunLauncher {
    /**
     * Submits a job, unless the cluster already knows its id.
     *
     * @param folder the run's folder in the queue, with the files that were stored when it was
     *     queued
     * @param job id of the job
     * @param restore URI of the savepoint or checkpoint to continue from; null to start from the
     *     beginning
     * @param least fewest workers
     * @param workers most workers
     * @return false if the cluster refuses the id because the job has ended, although it no longer
     *     knows the job
     * @throws IOException if it is not certain that the job has been submitted
     */
    boolean start(Path folder, String job, String restore, int least, int workers)
            throws IOException;

    /**
     * URI of the newest complete savepoint or checkpoint below a folder; empty if there is none.
     */
    Optional<String> newest(String folder) throws IOException;

    /** True if a run has left its results in its output folder. */
    boolean finished(String output) throws IOException;

    /** Deletes a folder and everything below it; does nothing if it does not exist. */
    void delete(String folder) throws IOException;
}

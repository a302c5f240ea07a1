package dev.levee.operators.rounds.training;

import dev.levee.learners.FlatVector;

import java.io.IOException;
import java.io.Serializable;

/** Receives a run's results inside the job, where the run ends. */
public interface RunSink extends Serializable {
    /**
     * Called beside the loop for each model that is evaluated, before its scores are known. A model
     * may come again after a failure, with the same bits.
     *
     * @param training the training
     * @param server the server of the model
     * @param iteration number of iterations that it has been trained for
     * @param parameters to be read during the call
     * @throws IOException if what is to be kept cannot be kept; fails the job, which starts again
     */
    default void evaluated(Training training, int server, long iteration, FlatVector parameters)
            throws IOException {}

    /**
     * Opens a log of rounds, once after each start of the job.
     *
     * @param kept the state of the log in a checkpoint of the same run, null if there is none
     * @return null if none is kept
     * @throws dev.levee.operators.rounds.RunFailedException if what is there cannot be gone on with
     */
    default RoundLog log(Training training, byte[] kept) throws IOException {
        return null;
    }

    /**
     * Called after the last round and the last evaluation.
     *
     * @throws IOException if it may do better a little later: it is called again, for half a
     *     minute; after that, as after any other exception, the job has failed for good
     */
    void finished(RunResult result) throws IOException;
}

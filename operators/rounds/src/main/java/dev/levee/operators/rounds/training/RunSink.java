package dev.levee.operators.rounds.training;

import dev.levee.learners.FlatVector;

import java.io.IOException;
import java.io.Serializable;

/** Receives a run's results inside the job, where the run ends. */
public interface RunSink extends Serializable {
    /**
     * Called for each model that is evaluated, outside the loop and before its scores are known.
     * After a failure, a model may be passed again, with the same bits.
     *
     * @param training the training
     * @param server the server of the model
     * @param iteration number of iterations that the model was trained for
     * @param parameters to be read only during the call
     * @throws IOException if the model cannot be stored; this fails the job, which restarts
     */
    default void evaluated(Training training, int server, long iteration, FlatVector parameters)
            throws IOException {}

    /**
     * Opens a log of rounds, once after each start of the job.
     *
     * @param kept the state of the log in a checkpoint of the same run, null if there is none
     * @return null if there is no log
     * @throws dev.levee.operators.rounds.fault.RunFailedException if an existing log cannot be
     *     continued
     */
    default RoundLog log(Training training, byte[] kept) throws IOException {
        return null;
    }

    /**
     * Called after the last round and the last evaluation.
     *
     * @throws IOException if a later attempt may succeed: the method is called again, for half a
     *     minute. After that, or after any other exception, the job fails for good
     */
    void finished(RunResult result) throws IOException;
}

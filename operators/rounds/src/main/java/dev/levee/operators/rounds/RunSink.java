package dev.levee.operators.rounds;

import java.io.IOException;
import java.io.Serializable;

/** Receives a run's results inside the job, where the run ends. */
public interface RunSink extends Serializable {
    /** Called once, after the last round and the last evaluation; a failure fails the job. */
    void finished(RunResult result) throws IOException;
}

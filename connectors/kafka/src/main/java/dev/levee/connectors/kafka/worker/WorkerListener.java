package dev.levee.connectors.kafka.worker;

import dev.levee.learners.Evaluation;
import dev.levee.operators.rounds.Settings;

/** Receives events of an external worker, on the worker's thread. */
public interface WorkerListener {
    /** The worker waits, for a reason given in one sentence. */
    void waiting(String why);

    /** The worker has received a newer model. */
    void model(long run, long version, Settings settings);

    /** The brokers have acknowledged the answer to a model. */
    void answered(long run, long round, double loss);

    /** The answer was sent again, because no newer model has come. */
    void resent(long run, long round);

    /**
     * A server has signed two models for one version, so it is Byzantine. The first model counts.
     */
    default void contradicted(int server, long version) {}

    /** The brokers have acknowledged the scores of a version. */
    default void evaluated(long run, long version, Evaluation evaluation) {}
}

package dev.levee.connectors.kafka.worker;

import dev.levee.learners.Evaluation;
import dev.levee.operators.rounds.Settings;

/** Receives events of an external worker, on the worker's thread. */
public interface WorkerListener {
    /** The worker waits, for a reason given in one sentence. */
    void waiting(String why);

    /** There is a newer model. */
    void model(long run, long version, Settings settings);

    /** The brokers have the answer to a model. */
    void answered(long run, long round, double loss);

    /** No newer model has come, so the answer was sent once more. */
    void resent(long run, long round);

    /** A server has signed two models for one version: it lies, and its first word counts. */
    default void contradicted(int server, long version) {}

    /** The brokers have what the job asked to know of a version. */
    default void evaluated(long run, long version, Evaluation evaluation) {}
}

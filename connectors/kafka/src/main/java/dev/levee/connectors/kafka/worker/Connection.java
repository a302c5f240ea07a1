package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.kafka.versions.ModelReader;
import dev.levee.connectors.kafka.versions.ModelSource;
import dev.levee.connectors.kafka.wire.ServerRing;

import java.time.Duration;
import java.util.function.Consumer;

/** Connects a worker to the topics of its run: as a Kafka client, or through a gateway. */
public interface Connection {
    /**
     * A source of models that has not started.
     *
     * @param ring who is believed
     * @param byzantine how many of several servers may lie
     */
    ModelSource models(ServerRing ring, int byzantine, ModelReader.Output output);

    /** Takes the gradients of a worker. */
    FrameSink gradients(int worker);

    /** Takes the scores of the worker that evaluates. */
    FrameSink scores(int worker);

    /** Speaks with the job in secure sums; has not started. */
    SumConnection sums(int worker, SumConnection.Output output);

    /**
     * Records that may be this worker's gradients, in the order of each partition: those that the
     * topic has had since a time. A connection that cannot read the topic has none.
     *
     * @param since the brokers' milliseconds since the epoch
     * @param patience how long nothing at all may arrive
     * @throws org.apache.kafka.common.errors.RetriableException if no broker answers now
     */
    void sent(long since, Duration patience, Consumer<byte[]> output);
}

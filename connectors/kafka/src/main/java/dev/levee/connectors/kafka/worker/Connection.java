package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.kafka.versions.ModelReader;
import dev.levee.connectors.kafka.versions.ModelSource;
import dev.levee.connectors.kafka.wire.ServerRing;

import java.time.Duration;
import java.util.function.Consumer;

/** Connects a worker to the topics of its run: as a Kafka client, or through a gateway. */
public interface Connection {
    /**
     * Creates a source of models, not yet started.
     *
     * @param ring the trusted servers
     * @param byzantine maximum number of Byzantine servers, if there are several
     */
    ModelSource models(ServerRing ring, int byzantine, ModelReader.Output output);

    /** Creates the sink for a worker's gradients. */
    FrameSink gradients(int worker);

    /** Creates the sink for the scores of the evaluating worker. */
    FrameSink scores(int worker);

    /** Creates the connection for secure sums, not yet started. */
    SumConnection sums(int worker, SumConnection.Output output);

    /**
     * Reads the records of the gradient topic since a point in time, in order within each
     * partition. They may include this worker's gradients. A connection that cannot read the topic
     * delivers none.
     *
     * @param since the brokers' milliseconds since the epoch
     * @param patience maximum time without any record
     * @throws org.apache.kafka.common.errors.RetriableException if no broker answers now
     */
    void sent(long since, Duration patience, Consumer<byte[]> output);
}

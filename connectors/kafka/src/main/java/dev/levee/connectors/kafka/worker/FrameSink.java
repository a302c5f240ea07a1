package dev.levee.connectors.kafka.worker;

import java.util.function.Consumer;

/** Sends a worker's frames to one topic. */
public interface FrameSink extends AutoCloseable {
    /**
     * Sends a frame.
     *
     * @param block the frame's block, which determines its partition
     * @param frame must not be changed afterward
     * @param done called once, on any thread: with null when the brokers have the frame, otherwise
     *     with the error. A Kafka {@code RetriableException} means that the same frame may be sent
     *     again
     * @throws org.apache.kafka.common.errors.RetriableException if the topic cannot be reached now
     */
    void send(int block, byte[] frame, Consumer<RuntimeException> done);

    @Override
    void close();
}

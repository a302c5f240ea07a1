package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.kafka.wire.Frame;

import java.util.function.Consumer;

/** Connects a device with the job for secure sums. */
public interface SumConnection extends AutoCloseable {
    /** Receives the job's messages, on any thread. */
    interface Output {
        /** Receives an unchecked record. Records of a round come in order. */
        void told(byte[] record);

        /** Reading is impossible for now; {@code why} is one sentence. */
        void waiting(String why);

        /** Reading has ended with an error. */
        void failed(RuntimeException cause);
    }

    /**
     * From now on, receives the job's messages in the round of a version, from the start of the
     * round.
     *
     * @param since when the version was published, the brokers' milliseconds since the epoch; 0 if
     *     unknown
     */
    void follow(long run, long version, long since);

    /**
     * Sends a frame to the job.
     *
     * @param done called as in {@link FrameSink#send}
     */
    void say(Frame frame, byte[] bytes, Consumer<RuntimeException> done);

    @Override
    void close();
}

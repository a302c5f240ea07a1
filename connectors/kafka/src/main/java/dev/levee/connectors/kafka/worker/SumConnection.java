package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.kafka.wire.Frame;

import java.util.function.Consumer;

/** How a device speaks with the job in secure sums. */
public interface SumConnection extends AutoCloseable {
    /** Receives what the job tells, on any thread. */
    interface Output {
        /** A record, of which nothing has been checked; those of a round come in order. */
        void told(byte[] record);

        /** Nothing can be read now; one sentence. */
        void waiting(String why);

        /** Nothing will be read any more. */
        void failed(RuntimeException cause);
    }

    /**
     * Hears from now on what the job tells in the round of a version, from the round's beginning.
     *
     * @param since when the version was published, the brokers' milliseconds since the epoch; 0 if
     *     that is not known
     */
    void follow(long run, long version, long since);

    /**
     * Sends a frame to the job.
     *
     * @param done as {@link FrameSink#send} takes it
     */
    void say(Frame frame, byte[] bytes, Consumer<RuntimeException> done);

    @Override
    void close();
}

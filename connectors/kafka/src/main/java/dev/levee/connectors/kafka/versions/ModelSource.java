package dev.levee.connectors.kafka.versions;

/**
 * The source of a worker's models: the topic itself, or a gateway in front of it. It calls a {@link
 * ModelReader.Output} on its own thread.
 */
public interface ModelSource extends AutoCloseable {
    /** Starts looking for models; call it once. */
    void start();

    /** Pauses until {@link #resume}. */
    void hold();

    /** Continues with the newest model, and skips models published in the meantime. */
    void resume();

    @Override
    void close();
}

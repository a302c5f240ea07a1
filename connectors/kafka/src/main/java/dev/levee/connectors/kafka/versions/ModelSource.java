package dev.levee.connectors.kafka.versions;

/**
 * The source of a worker's models: the topic itself, or a gateway in front of it. Calls back on a
 * thread of its own, with {@link ModelReader.Output}.
 */
public interface ModelSource extends AutoCloseable {
    /** Begins to look for models; call it once. */
    void start();

    /** Looks no further until {@link #resume}. */
    void hold();

    /** Looks for the newest model, whatever has come meanwhile, and continues from there. */
    void resume();

    @Override
    void close();
}

package dev.levee.operators.flink.window;

/** A row that a worker sends in a round, for streams whose elements have its fields. */
public interface WorkerRow {
    /** Number of the round. */
    long round();

    /** The sender's id. */
    long worker();

    /** The d coordinates; not changed by anyone. */
    float[] values();
}

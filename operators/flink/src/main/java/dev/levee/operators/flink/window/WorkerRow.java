package dev.levee.operators.flink.window;

/** What a worker sends in a round, for streams whose elements can say so themselves. */
public interface WorkerRow {
    /** Number of the round. */
    long round();

    /** Who sent it. */
    long worker();

    /** The d coordinates; not changed by anyone. */
    float[] values();
}

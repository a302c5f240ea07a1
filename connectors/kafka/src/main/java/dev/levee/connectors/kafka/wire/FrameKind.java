package dev.levee.connectors.kafka.wire;

import java.util.Optional;

/** Kinds of frames. */
public enum FrameKind {
    /** A block of a model and the settings of the round that it opens; from the job. */
    MODEL(1, false),
    /** A block of a gradient; from a worker. */
    GRADIENT(2, false),
    /** The job's state of a version besides the model; from the job to itself. */
    STATE(3, true),
    /** Scores of a version; from the worker that evaluates. */
    SCORES(4, false),
    /** A message of a secure sum that devices may leave; from a device or from the job. */
    SUM(5, true);

    private final byte code;
    private final boolean bytes;

    FrameKind(int code, boolean bytes) {
        this.code = (byte) code;
        this.bytes = bytes;
    }

    byte code() {
        return code;
    }

    /** True if the content is bytes instead of numbers. No fields follow bytes. */
    boolean ofBytes() {
        return bytes;
    }

    static Optional<FrameKind> of(byte code) {
        for (FrameKind kind : values()) {
            if (kind.code == code) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }
}

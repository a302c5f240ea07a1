package dev.levee.connectors.kafka.wire;

import java.util.Optional;

/** Kinds of frames. */
public enum FrameKind {
    /** A block of a model and the settings of the round it opens; from the job. */
    MODEL(1),
    /** A block of a gradient; from a worker. */
    GRADIENT(2),
    /** The job's other state of a version; from the job to itself. */
    STATE(3),
    /** Scores of a version; from the worker that evaluates. */
    SCORES(4);

    private final byte code;

    FrameKind(int code) {
        this.code = (byte) code;
    }

    byte code() {
        return code;
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

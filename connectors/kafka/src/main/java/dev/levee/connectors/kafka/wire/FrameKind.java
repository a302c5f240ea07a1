package dev.levee.connectors.kafka.wire;

import java.util.Optional;

/** What a frame holds. Codes are part of the protocol. */
public enum FrameKind {
    /** A block of a model and the settings of the round it opens; from the job. */
    MODEL(1),
    /** A block of a gradient; from a worker. */
    GRADIENT(2),
    /** What the job needs beside the model to go on from a version; from the job to itself. */
    STATE(3),
    /** What a version scored; from the worker that the job has asked to evaluate. */
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

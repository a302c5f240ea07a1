package dev.levee.operators.placement.graph;

/**
 * One output of an operator.
 *
 * @param bytes its size, at least 0
 * @param persistent true if the output is part of the operator's persistent memory, like the value
 *     of a variable, and takes no additional memory
 */
public record Output(long bytes, boolean persistent) {
    public Output {
        if (bytes < 0) {
            throw new IllegalArgumentException("an output must have 0 bytes or more, got " + bytes);
        }
    }

    /** An output that is freed after its last reader. */
    public static Output of(long bytes) {
        return new Output(bytes, false);
    }
}

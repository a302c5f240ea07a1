package dev.levee.operators.testing;

/** The protocol broke one of its promises; the message says which. */
public final class BrokenInvariantException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With the promise. */
    public BrokenInvariantException(String promise) {
        super(promise);
    }
}

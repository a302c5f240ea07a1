package dev.levee.operators.testing;

/** The protocol broke one of its promises; the message says which. */
public final class BrokenPromiseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With the promise. */
    public BrokenPromiseException(String promise) {
        super(promise);
    }
}

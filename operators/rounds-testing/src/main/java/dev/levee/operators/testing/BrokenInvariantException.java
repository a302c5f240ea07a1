package dev.levee.operators.testing;

import java.util.function.Supplier;

/** The protocol broke one of its promises; the message says which. */
public final class BrokenInvariantException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Checks a promise.
     *
     * @param broken says how it was broken
     */
    public static void require(boolean kept, Supplier<String> broken) {
        if (!kept) {
            throw new BrokenInvariantException(broken.get());
        }
    }

    /** An exception with this invariant. */
    public BrokenInvariantException(String promise) {
        super(promise);
    }
}

package dev.levee.operators.testing;

import java.util.function.Supplier;

/** Thrown if the protocol violated an invariant; the message says which. */
public final class BrokenInvariantException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Checks an invariant.
     *
     * @param broken describes the violation
     */
    public static void require(boolean kept, Supplier<String> broken) {
        if (!kept) {
            throw new BrokenInvariantException(broken.get());
        }
    }

    /** Creates an exception that describes a violation. */
    public BrokenInvariantException(String promise) {
        super(promise);
    }
}

package dev.levee.jobs.internal.cli;

import java.io.UncheckedIOException;

/** Says in a line why something failed. */
final class Failures {
    private Failures() {}

    /** The failure's own sentence, or that of its first cause where engines have wrapped it. */
    static String sentence(Throwable failure) {
        Throwable telling = failure;
        while (!ours(telling) && telling.getCause() != null) {
            telling = telling.getCause();
        }
        return ours(telling) ? telling.getMessage() : telling.toString();
    }

    private static boolean ours(Throwable failure) {
        return failure.getMessage() != null
                && (failure instanceof IllegalArgumentException
                        || failure instanceof IllegalStateException
                        || failure instanceof UncheckedIOException);
    }
}

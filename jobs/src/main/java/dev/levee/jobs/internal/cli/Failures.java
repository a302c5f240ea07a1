package dev.levee.jobs.internal.cli;

/** Says in a line why something failed. */
final class Failures {
    private Failures() {}

    /** The message of the innermost cause that has one, which is where a failure began. */
    static String sentence(Throwable failure) {
        String sentence = failure.toString();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null) {
                boolean telling =
                        cause instanceof IllegalArgumentException
                                || cause instanceof IllegalStateException
                                || cause instanceof java.io.UncheckedIOException;
                sentence = telling ? cause.getMessage() : cause.toString();
            }
        }
        return sentence;
    }
}

package dev.levee.estimation.learner;

/** Thrown if Python did not fulfill a request. The message is one sentence. */
final class PythonException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final boolean last;

    private PythonException(String message, boolean last, Throwable cause) {
        super(message, cause);
        this.last = last;
    }

    /** A failure that would happen again in another interpreter. */
    static PythonException refused(String message, Throwable cause) {
        return new PythonException(message, true, cause);
    }

    /** A failure because the interpreter is gone for an unknown reason. */
    static PythonException lost(String message, Throwable cause) {
        return new PythonException(message, false, cause);
    }

    /** True if another attempt would fail, too. */
    boolean isFinal() {
        return last;
    }
}

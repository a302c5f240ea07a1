package dev.levee.estimation.learner;

/** Python did not do what it was asked to; the message is a sentence. */
final class PythonException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final boolean last;

    private PythonException(String message, boolean last, Throwable cause) {
        super(message, cause);
        this.last = last;
    }

    /** Another interpreter would say the same. */
    static PythonException refused(String message, Throwable cause) {
        return new PythonException(message, true, cause);
    }

    /** The interpreter is gone for a reason that is not known. */
    static PythonException lost(String message, Throwable cause) {
        return new PythonException(message, false, cause);
    }

    /** True if there is no use in asking again. */
    boolean isFinal() {
        return last;
    }
}

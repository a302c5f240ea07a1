package dev.levee.learners;

/**
 * Thrown if a participant's own code raised an exception, its process died, or it did not answer in
 * time. The message is one sentence that says which. If a gradient fails in this way, it counts as
 * a fault of its worker, like a gradient with NaN.
 */
public class ParticipantException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String kind;
    private final String traceback;

    /** Creates a failure without a traceback. Failures with the same message are of one kind. */
    public ParticipantException(String message, Throwable cause) {
        this(message, cause, message, "");
    }

    /**
     * Creates a failure.
     *
     * @param kind names a group of similar failures, such as the exception and the line
     * @param traceback the last lines of the traceback, empty if there is none
     */
    public ParticipantException(String message, Throwable cause, String kind, String traceback) {
        super(message, cause);
        this.kind = kind;
        this.traceback = traceback;
    }

    /** The name of this kind of failure. */
    public String kind() {
        return kind;
    }

    /** The last lines of the traceback, empty if there is none. */
    public String traceback() {
        return traceback;
    }
}

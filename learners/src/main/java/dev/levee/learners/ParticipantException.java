package dev.levee.learners;

/**
 * A participant's own code failed: it raised, died, or gave no answer in time. The message is one
 * sentence that says which. A gradient that fails so is a fault of its worker, as one of NaN is.
 */
public class ParticipantException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String kind;
    private final String traceback;

    /** A failure without a traceback; those with the same message are of one kind. */
    public ParticipantException(String message, Throwable cause) {
        this(message, cause, message, "");
    }

    /**
     * A failure.
     *
     * @param kind the common kind of these failures, such as exception and line
     * @param traceback its last lines, empty if there is none
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

package dev.levee.learners;

/**
 * A participant's own code failed: it raised, died, or gave no answer in time. The message is one
 * sentence that says which. A gradient that fails so is a fault of its worker, as one of NaN is.
 */
public class ParticipantException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ParticipantException(String message, Throwable cause) {
        super(message, cause);
    }
}

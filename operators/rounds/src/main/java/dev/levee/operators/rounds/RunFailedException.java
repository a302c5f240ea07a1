package dev.levee.operators.rounds;

/**
 * A run that cannot continue; the message is one sentence that says who failed and how. Restarting
 * would not help.
 */
public final class RunFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** An exception with this sentence. */
    public RunFailedException(String sentence) {
        super(sentence);
    }

    /** An exception with this sentence and its cause. */
    public RunFailedException(String sentence, Exception cause) {
        super(sentence, cause);
    }
}

package dev.levee.operators.rounds.fault;

/**
 * Thrown if a run cannot continue and a restart would not help. The message is one sentence that
 * says which part failed and how.
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

package dev.levee.connectors.data.internal.file;

/** Data that cannot be used; the message is one sentence that names them. */
public final class RefusedDataException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    public RefusedDataException(String sentence) {
        super(sentence);
    }
}

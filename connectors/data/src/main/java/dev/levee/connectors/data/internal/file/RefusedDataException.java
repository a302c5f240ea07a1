package dev.levee.connectors.data.internal.file;

/** Thrown for data that cannot be used; the message is one sentence that names the data. */
public final class RefusedDataException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    public RefusedDataException(String sentence) {
        super(sentence);
    }
}

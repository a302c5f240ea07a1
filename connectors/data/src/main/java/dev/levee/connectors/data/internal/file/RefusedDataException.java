package dev.levee.connectors.data.internal.file;

/** Data that cannot be used, in one sentence that names them; not what a library says of them. */
public final class RefusedDataException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    public RefusedDataException(String sentence) {
        super(sentence);
    }
}

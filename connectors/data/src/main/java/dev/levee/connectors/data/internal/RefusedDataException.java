package dev.levee.connectors.data.internal;

/** Data that cannot be used, in one sentence that names them; not what a library says of them. */
final class RefusedDataException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    RefusedDataException(String sentence) {
        super(sentence);
    }
}

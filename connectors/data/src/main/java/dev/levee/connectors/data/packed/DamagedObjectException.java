package dev.levee.connectors.data.packed;

import java.io.IOException;

/** Thrown if a packed object is damaged; the message is one sentence. */
public final class DamagedObjectException extends IOException {
    private static final long serialVersionUID = 1;

    /**
     * @param message one sentence that names the object
     */
    public DamagedObjectException(String message) {
        super(message);
    }
}

package dev.levee.connectors.data.packed;

import java.io.IOException;

/** An object was read and is not what was packed; its message is one sentence. */
public final class DamagedObjectException extends IOException {
    private static final long serialVersionUID = 1;

    /**
     * @param message one sentence that names the object
     */
    public DamagedObjectException(String message) {
        super(message);
    }
}

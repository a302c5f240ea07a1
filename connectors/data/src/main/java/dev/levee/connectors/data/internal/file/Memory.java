package dev.levee.connectors.data.internal.file;

/** Limits the share of this JVM's heap that data may use. */
public final class Memory {
    private Memory() {}

    /**
     * Refuses to use more than half of the heap.
     *
     * @param what subject of the message
     * @throws IllegalArgumentException if {@code bytes} exceeds half of the heap; one sentence
     */
    public static void check(String what, long bytes) {
        long heap = Runtime.getRuntime().maxMemory();
        if (bytes > heap / 2) {
            throw new RefusedDataException(
                    ("%s needs %s MiB, which is more than half of this JVM's %s MiB "
                                    + "(raise -Xmx or the TaskManager's task heap)")
                            .formatted(what, bytes >> 20, heap >> 20));
        }
    }
}

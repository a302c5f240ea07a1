package dev.levee.connectors.data.internal.file;

/** What of this JVM's heap data may take. */
public final class Memory {
    private Memory() {}

    /**
     * Refuses to use more than half of the heap.
     *
     * @param what subject of the message
     * @throws IllegalArgumentException if it is more; one sentence
     */
    public static void check(String what, long bytes) {
        long heap = Runtime.getRuntime().maxMemory();
        if (bytes > heap / 2) {
            throw new RefusedDataException(
                    what
                            + " needs "
                            + (bytes >> 20)
                            + " MiB, which is more than half of this JVM's "
                            + (heap >> 20)
                            + " MiB (raise -Xmx or the TaskManager's task heap)");
        }
    }
}

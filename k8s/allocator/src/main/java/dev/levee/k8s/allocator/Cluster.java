package dev.levee.k8s.allocator;

import java.io.IOException;

/** A real cluster, as an allocator sees it and acts on it. */
public interface Cluster {
    /**
     * The current state.
     *
     * @throws IOException if the cluster does not answer; nothing is known then, and nothing
     *     forgotten
     */
    ClusterObservation observe() throws IOException;

    /**
     * Carries a decision out; one that is in force already changes nothing.
     *
     * @throws IOException if it could not be; it is decided anew next time
     */
    void act(Decision decision) throws IOException;

    /** All decisions of a turn are carried out; makes them take effect soon. */
    default void acted() {}
}

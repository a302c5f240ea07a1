package dev.levee.k8s.allocator;

import java.io.IOException;

/** A real cluster that an allocator observes and changes. */
public interface Cluster {
    /**
     * The current state.
     *
     * @throws IOException if the cluster does not answer; the allocator's memory then stays
     *     unchanged
     */
    ClusterObservation observe() throws IOException;

    /**
     * Carries out a decision. A decision that is already in force changes nothing.
     *
     * @throws IOException if that fails; the allocator decides again next time
     */
    void act(Decision decision) throws IOException;

    /**
     * Called after all decisions of a turn have been carried out, to make them take effect soon.
     */
    default void acted() {}
}

package dev.levee.operators.placement.graph;

/** Whether the transfers of a device run at the same time or one after the other. */
public enum Transfers {
    /** All transfers run at the same time, each with the whole bandwidth of its link. */
    PARALLEL,
    /**
     * Transfers are sequential at each end. A transfer occupies the sender from the time when it is
     * sent, and the receiver from the time when both are ready, each for the transfer time of its
     * link.
     */
    SEQUENTIAL
}

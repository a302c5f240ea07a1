package dev.levee.operators.placement.graph;

/** How the transfers of a device share it. */
public enum Transfers {
    /** All at the same time, each with the whole bandwidth of its link. */
    PARALLEL,
    /**
     * Sequential at each end. A transfer occupies the sender from when it is sent and the receiver
     * from when both are ready, each for the transfer time of its link.
     */
    SEQUENTIAL
}

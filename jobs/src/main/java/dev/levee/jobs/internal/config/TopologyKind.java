package dev.levee.jobs.internal.config;

/** Which servers there are. */
public enum TopologyKind {
    /** Several that get all gradients and exchange models. */
    REPLICATED,
    /** One at each node, which is a worker too. */
    DECENTRALISED,
    /** Several that get all gradients, of which workers believe one. */
    CRASH_TOLERANT
}

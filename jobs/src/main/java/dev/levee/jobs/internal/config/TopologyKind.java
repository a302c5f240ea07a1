package dev.levee.jobs.internal.config;

/** Kinds of topologies. */
public enum TopologyKind {
    /** Several that get all gradients and exchange models. */
    REPLICATED,
    /** A server at each node, which is a worker, too. */
    DECENTRALISED,
    /** Several that get all gradients, of which workers believe one. */
    CRASH_TOLERANT
}

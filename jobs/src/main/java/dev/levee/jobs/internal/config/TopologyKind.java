package dev.levee.jobs.internal.config;

/** The kinds of topologies. */
public enum TopologyKind {
    /** Several servers that receive all gradients and exchange models. */
    REPLICATED,
    /** Every node is a server and a worker. */
    DECENTRALISED,
    /** Several servers that receive all gradients. Workers use the model of one of them. */
    CRASH_TOLERANT
}

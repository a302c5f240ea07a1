package dev.levee.operators.rounds.training;

/** Phases of a round on its critical path. */
public enum Phase {
    /** From the first worker that has the model to the last accepted gradient. */
    COMPUTE,
    /** Models to workers and gradients to shards. */
    SHIP,
    /** From the last gradient at a shard to the last look at the coordinator. */
    LOOK,
    /** The rule's decision. */
    DECIDE,
    /** Reducing the rows of the slowest block. */
    REDUCE,
    /** Stepping the slowest block. */
    UPDATE
}

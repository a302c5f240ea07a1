package dev.levee.operators.rounds.training;

/** Phases of a round on its critical path. */
public enum RoundPhase {
    /**
     * From the arrival of the model at the first worker to the last accepted gradient's completion.
     */
    COMPUTE,
    /** Transfers of models to workers and of gradients to shards. */
    SHIP,
    /**
     * From the last gradient's arrival at a shard to the last measurements' arrival at the
     * coordinator.
     */
    LOOK,
    /** The rule's decision. */
    DECIDE,
    /** The reduction of rows in the slowest block. */
    REDUCE,
    /** The step of the slowest block. */
    UPDATE
}

package dev.levee.operators.rounds;

import java.io.Serializable;

/**
 * Messages on the loop edge: models from shards, instructions from a coordinator, permissions to
 * send announced contributions, paths of sums, messages of secure sums, offers of a replica, and
 * messages between stages of workers' pipelines.
 */
public sealed interface LoopMessage extends Serializable
        permits ModelBlock, Instruction, Permission, SumNotice, StageMessage, StandIn, SumTree {
    /** The messages that a message replaces if they still wait: of its kind, to the same shard. */
    enum Replaces {
        /** All earlier messages: only the newest matters. */
        OLDER,
        /** Earlier messages of the same round. */
        SAME_ROUND,
        /** No message: each must arrive. */
        NOTHING
    }

    /** The round it belongs to. */
    long round();

    /** The shard that sent it or that it is for; null between stages. */
    ShardId shard();

    /** The messages that it replaces on its way. */
    default Replaces replaces() {
        return Replaces.OLDER;
    }
}

package dev.levee.operators.rounds;

import java.io.Serializable;

/**
 * A message on the loop edge: models from shards, instructions from a coordinator, permissions to
 * send announced contributions, paths of sums, messages of secure sums, offers of a replica, and
 * messages between stages of workers' pipelines.
 */
public sealed interface LoopMessage extends Serializable
        permits ModelBlock, Instruction, Permission, SumNotice, StageMessage, StandIn, SumTree {
    /** The waiting messages that a newer message of the same kind, to the same shard, replaces. */
    enum Replaces {
        /** All earlier messages: only the newest matters. */
        OLDER,
        /** Earlier messages of the same round. */
        SAME_ROUND,
        /** No message: each must arrive. */
        NOTHING
    }

    /** The round that the message belongs to. */
    long round();

    /** The shard that sent or receives the message; null between stages. */
    ShardId shard();

    /** The waiting messages that this message replaces. */
    default Replaces replaces() {
        return Replaces.OLDER;
    }
}

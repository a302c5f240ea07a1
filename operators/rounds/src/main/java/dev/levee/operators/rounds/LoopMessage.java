package dev.levee.operators.rounds;

import java.io.Serializable;

/**
 * Messages on the loop edge: models from shards, instructions from a coordinator, permissions to
 * send announced contributions, paths of sums, messages of secure sums, offers of a replica, and
 * messages between stages of workers' pipelines.
 */
public sealed interface LoopMessage extends Serializable
        permits ModelBlock, Instruction, Permission, SumNotice, StageMessage, StandIn, SumTree {
    /** The round it belongs to; of two messages in one lane only the newer one matters. */
    long round();

    /** The shard that sent it or that it is for; null between stages. */
    ShardId shard();
}

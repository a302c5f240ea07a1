package dev.levee.operators.rounds;

import java.io.Serializable;

/**
 * What travels over the loop edge: models from shards, instructions from a coordinator, permissions
 * to send what participants have announced, messages of secure sums, what a replica offers, and
 * what the stages of workers' pipelines tell each other.
 */
public sealed interface LoopMessage extends Serializable
        permits ModelBlock, Instruction, Permission, SumNotice, StageMessage, StandIn {
    /** The round it belongs to; of two messages in one lane only the newer one matters. */
    long round();

    /** The shard that sent it or that it is for; null between stages. */
    ShardId shard();
}

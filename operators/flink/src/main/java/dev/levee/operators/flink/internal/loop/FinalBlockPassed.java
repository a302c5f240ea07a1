package dev.levee.operators.flink.internal.loop;

import dev.levee.operators.rounds.ShardId;

import org.apache.flink.api.connector.source.SourceEvent;

/** Tells the enumerator that a head has passed on a block of a server's final model. */
record FinalBlockPassed(ShardId shard) implements SourceEvent {}

package dev.levee.operators.flink.internal.loop;

import dev.levee.operators.rounds.ShardId;

import org.apache.flink.api.connector.source.SourceEvent;

/** A head tells the enumerator that it has passed on a block of a server's final model. */
record FinalBlockPassed(ShardId shard) implements SourceEvent {}

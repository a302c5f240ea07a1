package dev.levee.operators.flink.internal.loop;

import org.apache.flink.api.connector.source.SourceEvent;

/** A head tells the enumerator that it has passed on a block of the final model. */
record FinalBlockPassed(int block) implements SourceEvent {}

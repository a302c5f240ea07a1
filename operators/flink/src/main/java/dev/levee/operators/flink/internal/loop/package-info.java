/**
 * The loop edge and its source. Read {@link dev.levee.operators.flink.internal.loop.LoopQueue}
 * first.
 */
package dev.levee.operators.flink.internal.loop;

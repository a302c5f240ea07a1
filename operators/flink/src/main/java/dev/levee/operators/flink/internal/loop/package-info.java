/**
 * The loop edge, and the source with which it begins. Read {@link
 * dev.levee.operators.flink.internal.loop.LoopQueue} first.
 */
package dev.levee.operators.flink.internal.loop;

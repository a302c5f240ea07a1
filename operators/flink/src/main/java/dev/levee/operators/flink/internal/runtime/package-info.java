/**
 * The operators of the round loop, and the job graph that connects them. Read {@link
 * dev.levee.operators.flink.internal.runtime.LoopGraph} first.
 */
package dev.levee.operators.flink.internal.runtime;

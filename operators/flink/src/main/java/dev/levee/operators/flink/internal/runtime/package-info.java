/**
 * The operators of the round loop, and the job graph that connects them. More than 25 files because
 * they are the operators of one graph and their helpers. Read {@link
 * dev.levee.operators.flink.internal.runtime.LoopGraph} first.
 */
package dev.levee.operators.flink.internal.runtime;

/**
 * The operators of the round loop, and the job graph that connects them. Read {@link
 * dev.levee.operators.flink.internal.runtime.LoopGraph} first. The packages below it hold what an
 * operator has beside it; they import nothing of this one.
 */
package dev.levee.operators.flink.internal.runtime;

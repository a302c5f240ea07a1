/**
 * Trainings as loops over rounds, without messages and shards. Synchronous runs of the protocol
 * must have the same bits. Read {@link dev.levee.operators.testing.plain.PlainLoop} first.
 */
package dev.levee.operators.testing.plain;

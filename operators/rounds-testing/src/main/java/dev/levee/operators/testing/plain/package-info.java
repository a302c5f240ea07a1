/**
 * Trainings as loops over rounds: no messages, no shards. Synchronous runs of the protocol must
 * have the same bits. Read {@link dev.levee.operators.testing.plain.PlainLoop} first.
 */
package dev.levee.operators.testing.plain;

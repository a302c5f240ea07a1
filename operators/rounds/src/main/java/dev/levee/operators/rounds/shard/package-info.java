/**
 * One block of a server's model: the window of rows, the sums, the reduction and the server's step.
 * Read {@link dev.levee.operators.rounds.shard.Shard} first. Does not import the coordinator, which
 * is the trigger of its windows, nor participants.
 */
package dev.levee.operators.rounds.shard;

/**
 * Transfers from participants to a server: sums in transit, ordered transfers, and the updates of a
 * replica. Read {@link dev.levee.operators.rounds.transfer.Combiner} and {@link
 * dev.levee.operators.rounds.transfer.TransferScheduler} first. Imports neither participants nor
 * shards nor coordinators.
 */
package dev.levee.operators.rounds.transfer;

/**
 * What travels from participants to a server, when, and by which way: gradients that are added up
 * on their way, the order of transfers, and which updates a replica needs. Read {@link
 * dev.levee.operators.rounds.transfer.Combiner} and {@link
 * dev.levee.operators.rounds.transfer.TransferScheduler} first. Imports neither participants nor
 * shards nor coordinators.
 */
package dev.levee.operators.rounds.transfer;

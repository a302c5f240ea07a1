/**
 * Participants: they assemble a model, draw batches, work and send a contribution. Read {@link
 * dev.levee.operators.rounds.participant.Workers} first. Imports neither shards nor the
 * coordinator.
 */
package dev.levee.operators.rounds.participant;

/**
 * The protocol's API: a training and its parts, the interfaces of a plan and of a participant's
 * work, and the results of a run. Read {@link dev.levee.operators.rounds.training.Training} first.
 * Imports neither plans nor any part that runs a round.
 */
package dev.levee.operators.rounds.training;

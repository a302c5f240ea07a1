/**
 * Learning rates that depend on the round. Read {@link
 * dev.levee.operators.rounds.schedule.LearningRate} first. Imports no other package of this module.
 */
package dev.levee.operators.rounds.schedule;

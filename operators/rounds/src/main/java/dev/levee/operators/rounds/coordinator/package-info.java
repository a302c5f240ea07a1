/**
 * The coordinator of a server. It decides which contributions a round has and when it closes, asks
 * the rule, and records faulty participants. Read {@link
 * dev.levee.operators.rounds.coordinator.Coordinator} first. Never imports participants or scoring,
 * and sees no parameters.
 */
package dev.levee.operators.rounds.coordinator;

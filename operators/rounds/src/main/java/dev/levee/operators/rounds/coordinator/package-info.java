/**
 * The coordinator of a server: which contributions a round has, when it closes, what the rule makes
 * of them, and who was at fault. Read {@link dev.levee.operators.rounds.coordinator.Coordinator}
 * first. Never imports participants or scoring, and sees no parameters.
 */
package dev.levee.operators.rounds.coordinator;

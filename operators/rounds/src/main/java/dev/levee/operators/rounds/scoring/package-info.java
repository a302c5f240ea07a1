/**
 * Scores of contributions on the server's own data, for rules that need them. Read {@link
 * dev.levee.operators.rounds.scoring.Scoring} first. Imports neither shards nor the coordinator.
 */
package dev.levee.operators.rounds.scoring;

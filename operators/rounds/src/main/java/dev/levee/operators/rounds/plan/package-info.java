/**
 * Plans that derive a round's settings from earlier rounds: elastic, by reputation, sampled. Read
 * {@link dev.levee.operators.rounds.plan.ElasticPlanner} first. Imports no part that runs a round.
 */
package dev.levee.operators.rounds.plan;

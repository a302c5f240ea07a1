/**
 * Attackers on the way from a worker or a server to those who read them: what they see of a round
 * and what they send instead. Read {@link dev.levee.operators.rounds.adversary.Adversary} first.
 * Imports neither participants nor servers.
 */
package dev.levee.operators.rounds.adversary;

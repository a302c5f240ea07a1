/**
 * Simulated attackers between a worker or a server and its readers. They see rows and replace some
 * of them. Read {@link dev.levee.operators.rounds.adversary.Adversary} first. Imports neither
 * participants nor servers.
 */
package dev.levee.operators.rounds.adversary;

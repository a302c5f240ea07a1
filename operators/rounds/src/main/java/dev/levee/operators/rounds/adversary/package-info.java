/**
 * Attackers between a worker or a server and its readers: the rows that they see and the rows that
 * they send instead. Read {@link dev.levee.operators.rounds.adversary.Adversary} first. Imports
 * neither participants nor servers.
 */
package dev.levee.operators.rounds.adversary;

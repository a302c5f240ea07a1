/**
 * The words that all parts of a round share: the records that travel between them, who takes part,
 * and the two ways in which a run goes wrong. Read {@link dev.levee.operators.rounds.Header} and
 * {@link dev.levee.operators.rounds.Settings} first. Imports no other package of this module.
 */
package dev.levee.operators.rounds;

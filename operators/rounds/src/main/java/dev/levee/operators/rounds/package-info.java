/**
 * The records that travel between the parts of a round, and the participants that they name. Read
 * {@link dev.levee.operators.rounds.Header} and {@link dev.levee.operators.rounds.Settings} first.
 * Imports {@code fault} and {@code report}, which shards report, and {@code securesum}, whose
 * messages travel in its records, and no other package of this module.
 */
package dev.levee.operators.rounds;

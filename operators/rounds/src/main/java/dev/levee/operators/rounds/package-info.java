/**
 * The words that all parts of a round share: the records that travel between them, who takes part,
 * and the two ways in which a run goes wrong. More than 25 files because they are records of one
 * kind, which the codecs write. Read {@link dev.levee.operators.rounds.Header} and {@link
 * dev.levee.operators.rounds.Settings} first. Imports {@code securesum}, whose messages travel in
 * its records, and no other package of this module.
 */
package dev.levee.operators.rounds;

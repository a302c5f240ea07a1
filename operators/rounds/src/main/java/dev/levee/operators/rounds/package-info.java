/**
 * The types that all parts of a round share: the records that travel between them, the
 * participants, and the two kinds of failure of a run. More than 25 files because most are records
 * that the codecs write. Read {@link dev.levee.operators.rounds.Header} and {@link
 * dev.levee.operators.rounds.Settings} first. Imports {@code securesum}, whose messages travel in
 * its records, and no other package of this module.
 */
package dev.levee.operators.rounds;

/**
 * Codecs of all records that are sent or stored. Read {@link
 * dev.levee.operators.rounds.codec.Codecs} first, which lists them all. No other package of this
 * module may import it.
 */
package dev.levee.operators.rounds.codec;

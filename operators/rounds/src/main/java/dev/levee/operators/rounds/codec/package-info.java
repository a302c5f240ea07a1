/**
 * Bytes of everything that travels or is stored. Read {@link
 * dev.levee.operators.rounds.codec.Codecs} first, which lists them all. No other package of this
 * module may import it. More than 25 files because each is the codec of one kind of thing.
 */
package dev.levee.operators.rounds.codec;

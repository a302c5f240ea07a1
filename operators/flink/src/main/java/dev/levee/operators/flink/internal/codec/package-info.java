/**
 * Flink's serializers for the records of the loop, around the codecs of {@code operators/rounds}.
 */
package dev.levee.operators.flink.internal.codec;

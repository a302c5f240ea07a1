/** Records and rows that several packages of this module share. */
package dev.levee.operators.flink.internal.records;

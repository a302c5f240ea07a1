/**
 * What the recorder keeps of each server's rounds, within bounds, and how a run's result reaches
 * its sink. Read {@link dev.levee.operators.flink.internal.runtime.history.ServerRecord} first. It
 * knows no operator.
 */
package dev.levee.operators.flink.internal.runtime.history;

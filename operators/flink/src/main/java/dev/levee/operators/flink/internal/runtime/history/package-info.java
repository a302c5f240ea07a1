/**
 * The recorder's bounded history of each server's rounds, and the delivery of a run's result to its
 * sink. Read {@link dev.levee.operators.flink.internal.runtime.history.ServerRecord} first. It
 * knows no operator.
 */
package dev.levee.operators.flink.internal.runtime.history;

/**
 * The recorder's bounded history of each server's rounds, and the delivery of a run's result to its
 * sink. Read {@link dev.levee.operators.flink.internal.runtime.history.ServerRecord} first. It does
 * not depend on operators.
 */
package dev.levee.operators.flink.internal.runtime.history;

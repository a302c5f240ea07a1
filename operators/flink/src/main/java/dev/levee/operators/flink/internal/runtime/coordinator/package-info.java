/**
 * What the operator of coordinators has beside them: the watch over an elastic run's control file,
 * and metrics. Read {@link
 * dev.levee.operators.flink.internal.runtime.coordinator.CoordinatorMetrics} first.
 */
package dev.levee.operators.flink.internal.runtime.coordinator;

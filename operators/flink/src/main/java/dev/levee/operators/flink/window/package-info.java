/**
 * The rules in windows of the DataStream API. Read {@link
 * dev.levee.operators.flink.window.RobustAggregation} first, then {@link
 * dev.levee.operators.flink.window.Quorum}.
 */
package dev.levee.operators.flink.window;

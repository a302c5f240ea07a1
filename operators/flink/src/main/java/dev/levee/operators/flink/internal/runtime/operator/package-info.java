/**
 * What operators of any kind need from Flink: their creation, and state by key. Read {@link
 * dev.levee.operators.flink.internal.runtime.operator.KeyedStates} first.
 */
package dev.levee.operators.flink.internal.runtime.operator;

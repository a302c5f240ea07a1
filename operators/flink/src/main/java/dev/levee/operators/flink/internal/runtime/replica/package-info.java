/**
 * The replica of a server: its place in a process, its operator, and how shards and coordinators
 * wait for it when they start. Read {@link
 * dev.levee.operators.flink.internal.runtime.replica.ReplicaHost} first.
 */
package dev.levee.operators.flink.internal.runtime.replica;

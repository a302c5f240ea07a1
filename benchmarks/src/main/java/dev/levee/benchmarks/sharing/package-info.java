/**
 * The allocator: real training jobs that share a real cluster under several policies, one after
 * another, and the time of a decision. Read {@link dev.levee.benchmarks.sharing.SharedCluster}
 * first.
 */
package dev.levee.benchmarks.sharing;

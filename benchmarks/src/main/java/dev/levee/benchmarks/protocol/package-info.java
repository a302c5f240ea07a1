/**
 * The round protocol in virtual time: fuzzed schedules, the order of transfers, replicas. Read
 * {@link dev.levee.benchmarks.protocol.Schedules} first.
 */
package dev.levee.benchmarks.protocol;

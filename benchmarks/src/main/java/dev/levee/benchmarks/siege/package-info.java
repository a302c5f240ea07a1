/**
 * A standing test: a real cluster, broker and workers under a random schedule of faults, which a
 * seed determines. Invariants are checked from outside. Read {@link
 * dev.levee.benchmarks.siege.Siege} first.
 */
package dev.levee.benchmarks.siege;

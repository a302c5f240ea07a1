/**
 * A standing test: a real cluster, broker and workers under a seeded schedule of faults, and the
 * invariants that must hold, observed from outside. Read {@link dev.levee.benchmarks.siege.Siege}
 * first.
 */
package dev.levee.benchmarks.siege;

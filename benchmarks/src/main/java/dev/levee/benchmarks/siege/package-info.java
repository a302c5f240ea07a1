/**
 * A standing test: a real cluster, a real broker and real workers under a seeded schedule of
 * faults, and what must hold all the same, seen from outside.
 */
package dev.levee.benchmarks.siege;

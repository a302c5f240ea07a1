/**
 * The elastic allocator's core: snapshots in, decisions out. No engine, no cluster, no wall clock.
 */
package dev.levee.k8s.allocator;

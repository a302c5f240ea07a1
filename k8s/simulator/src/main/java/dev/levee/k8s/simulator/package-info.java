/** Runs the allocator's core in virtual time, on simulated clusters. */
package dev.levee.k8s.simulator;

/** Runs the allocator's core in virtual time, on clusters that nobody has to own. */
package dev.levee.k8s.simulator;

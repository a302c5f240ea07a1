/** Policies, which decide about the workers and the batch of each job. */
package dev.levee.k8s.allocator.policy;

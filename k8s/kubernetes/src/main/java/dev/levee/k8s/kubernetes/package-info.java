/**
 * The allocator on Kubernetes: jobs are resources of the Flink Kubernetes Operator, which does what
 * their changed specifications say.
 */
package dev.levee.k8s.kubernetes;

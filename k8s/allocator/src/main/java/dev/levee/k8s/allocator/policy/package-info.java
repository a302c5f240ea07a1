/** Policies: who gets which workers and which batch. */
package dev.levee.k8s.allocator.policy;

/** Stores that outlive the allocator's process. */
package dev.levee.k8s.allocator.store;

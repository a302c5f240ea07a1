/** Stores that keep the allocator's memory across restarts. */
package dev.levee.k8s.allocator.store;

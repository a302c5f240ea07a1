/** Runs that an allocator owns: it starts them, pauses them, and has them continue. */
package dev.levee.k8s.flink.queue;

/** Runs that an allocator owns: it starts them, pauses them, and has them go on. */
package dev.levee.k8s.flink.queue;

/** Queued runs, which an allocator owns: it starts, pauses and resumes them. */
package dev.levee.k8s.flink.queue;

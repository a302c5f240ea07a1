/**
 * Trainings on clusters of TaskManager processes: rescaling, crashes of servers, and traffic
 * between hosts. Read {@link dev.levee.benchmarks.cluster.Rescaling} first.
 */
package dev.levee.benchmarks.cluster;

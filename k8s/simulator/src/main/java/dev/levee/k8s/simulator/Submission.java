package dev.levee.k8s.simulator;

import dev.levee.k8s.allocator.JobSpec;

import java.util.function.Supplier;

/**
 * A job of a workload.
 *
 * @param asRequested what a user asks for who wants a fixed number of workers
 * @param elastic what a user asks for who leaves the number to the cluster
 * @param behaviour makes the job, anew for each simulation
 */
public record Submission(JobSpec asRequested, JobSpec elastic, Supplier<JobBehaviour> behaviour) {}

package dev.levee.k8s.simulator;

import dev.levee.k8s.allocator.JobSpec;

import java.util.function.Supplier;

/**
 * A job of a workload.
 *
 * @param asRequested the request of a user who wants a fixed number of workers
 * @param elastic the request of a user who leaves the number to the cluster
 * @param behaviour creates the job's behavior for each simulation
 */
public record Submission(JobSpec asRequested, JobSpec elastic, Supplier<JobBehaviour> behaviour) {}

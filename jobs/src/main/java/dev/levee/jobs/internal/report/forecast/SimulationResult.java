package dev.levee.jobs.internal.report.forecast;

import dev.levee.k8s.simulator.Fairness;
import dev.levee.k8s.simulator.Outcome;

/**
 * The result of one policy on one workload.
 *
 * @param outcome the result of the simulation
 * @param fairness fairness to its jobs, in the same order
 */
public record SimulationResult(Outcome outcome, Fairness fairness) {}

/**
 * Causal effects by double machine learning (Chernozhukov et al. 2018, "Double/debiased machine
 * learning for treatment and structural parameters"): data, specification, tasks and results. Read
 * {@link dev.levee.estimation.Specification} and {@link dev.levee.estimation.Estimate} first;
 * {@link dev.levee.estimation.fitting.DoubleMl} computes an estimate from a specification. This
 * package must not import an engine; {@code estimation/flink} runs an estimate as a job.
 */
package dev.levee.estimation;

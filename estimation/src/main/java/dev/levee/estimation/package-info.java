/**
 * Causal effects by double machine learning (Chernozhukov et al. 2018, "Double/debiased machine
 * learning for treatment and structural parameters"): data, what is to be estimated, tasks and
 * results. Read {@link dev.levee.estimation.Specification} and {@link
 * dev.levee.estimation.Estimate} first; {@link dev.levee.estimation.fitting.DoubleMl} computes one
 * from the other. Nothing here may import an engine; {@code estimation/flink} runs it as a job.
 */
package dev.levee.estimation;

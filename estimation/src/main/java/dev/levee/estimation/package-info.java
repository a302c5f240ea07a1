/**
 * Causal effects by double machine learning (Chernozhukov et al. 2018, "Double/debiased machine
 * learning for treatment and structural parameters"): models, cross-fitting, scores, intervals,
 * sensitivity. Read {@link dev.levee.estimation.DoubleMl} first, then {@link
 * dev.levee.estimation.CrossFitting} and {@link dev.levee.estimation.RepetitionEstimator}. Nothing
 * here may import an engine; {@code estimation/flink} runs it as a job.
 */
package dev.levee.estimation;

/**
 * Computes an estimate: cross-fitting, scores, standard errors. Read {@link
 * dev.levee.estimation.fitting.DoubleMl} first, then {@link
 * dev.levee.estimation.fitting.CrossFitting} and {@link
 * dev.levee.estimation.fitting.RepetitionEstimator}. Nothing here may import an engine.
 */
package dev.levee.estimation.fitting;

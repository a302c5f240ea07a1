/**
 * Double machine learning as a stage of Flink ML. Read {@link
 * dev.levee.estimation.flink.ml.EffectEstimator} first. This package uses the job of {@code
 * estimation.flink}, which must not import this package.
 */
package dev.levee.estimation.flink.ml;

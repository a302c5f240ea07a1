/**
 * Double machine learning as a stage of Flink ML. Read {@link
 * dev.levee.estimation.flink.ml.EffectEstimator} first. It uses the job of {@code
 * estimation.flink}, which may not import it.
 */
package dev.levee.estimation.flink.ml;

/**
 * Levee's rounds as an estimator of Flink ML. Read {@link
 * dev.levee.operators.flink.ml.RobustClassifier} first.
 */
package dev.levee.operators.flink.ml;

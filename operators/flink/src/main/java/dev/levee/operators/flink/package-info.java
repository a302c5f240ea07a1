/**
 * Levee's trainings and attacks as parts of other Flink jobs. Read {@link
 * dev.levee.operators.flink.TrainingJob} first.
 */
package dev.levee.operators.flink;

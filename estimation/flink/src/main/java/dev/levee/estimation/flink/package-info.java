/**
 * Double machine learning as a bounded Flink job: a source whose splits are fits, and a keyed
 * function per repetition. Read {@link dev.levee.estimation.flink.EstimationJob} first. Nothing
 * here may know of the command line or of reports.
 */
package dev.levee.estimation.flink;

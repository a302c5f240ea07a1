/**
 * Double machine learning as a bounded Flink job: a source whose splits are fits, and a keyed
 * function per repetition. Read {@link dev.levee.estimation.flink.EstimationJob} first. This
 * package must not depend on the command line or on reports.
 */
package dev.levee.estimation.flink;

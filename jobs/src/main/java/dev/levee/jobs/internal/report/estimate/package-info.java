/**
 * Writes the files of an estimate, and its page. Read {@link
 * dev.levee.jobs.internal.report.estimate.EstimateFiles} first.
 */
package dev.levee.jobs.internal.report.estimate;

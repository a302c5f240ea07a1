/**
 * What an estimate of an effect leaves in its folder, and its page. Read {@link
 * dev.levee.jobs.internal.report.estimate.EstimateFiles} first.
 */
package dev.levee.jobs.internal.report.estimate;

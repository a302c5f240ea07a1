/**
 * What {@code summary.json} and the CSV files say of a run. Read {@link
 * dev.levee.jobs.internal.report.summary.Summary} first. Imports only {@code markup} beside it.
 */
package dev.levee.jobs.internal.report.summary;

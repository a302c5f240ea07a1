/**
 * Contents of {@code summary.json} and the CSV files. Read {@link
 * dev.levee.jobs.internal.report.summary.Summary} first. Imports only {@code markup} beside it.
 */
package dev.levee.jobs.internal.report.summary;

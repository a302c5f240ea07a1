/**
 * The contents of {@code summary.json} and the CSV files. Read {@link
 * dev.levee.jobs.internal.report.summary.Summary} first. Of the other report packages, imports only
 * {@code markup}.
 */
package dev.levee.jobs.internal.report.summary;

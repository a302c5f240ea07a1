/**
 * The page {@code report.html} of a run, with a class for each section. Read {@link
 * dev.levee.jobs.internal.report.page.Report} first. Imports {@code summary} and {@code markup},
 * and reads no files.
 */
package dev.levee.jobs.internal.report.page;

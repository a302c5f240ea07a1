/**
 * Building blocks of reports: HTML, charts, pictures, formatted numbers. Read {@link
 * dev.levee.jobs.internal.report.markup.Html} first. Knows nothing of runs.
 */
package dev.levee.jobs.internal.report.markup;

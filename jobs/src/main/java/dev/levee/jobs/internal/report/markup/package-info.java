/**
 * What reports are written with: HTML, charts, pictures, numbers as people read them. Read {@link
 * dev.levee.jobs.internal.report.markup.Html} first. Knows nothing of runs.
 */
package dev.levee.jobs.internal.report.markup;

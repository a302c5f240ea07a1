/**
 * Building blocks of reports: HTML, charts, pictures, formatted numbers. Read {@link
 * dev.levee.jobs.internal.report.markup.Html} first. Does not depend on runs.
 */
package dev.levee.jobs.internal.report.markup;

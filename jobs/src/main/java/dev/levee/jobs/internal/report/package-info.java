/**
 * The files in a run's folder. Read {@link dev.levee.jobs.internal.report.RunFiles} first. Imports
 * no package of commands or runs.
 */
package dev.levee.jobs.internal.report;

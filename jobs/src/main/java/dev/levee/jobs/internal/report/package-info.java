/**
 * What a run leaves in its folder, and how it is read back. Read {@link
 * dev.levee.jobs.internal.report.RunFiles} first. Imports no package of commands or runs.
 */
package dev.levee.jobs.internal.report;

/**
 * Runs as jobs: planned, submitted, left to a cluster, resumed. Read {@link
 * dev.levee.jobs.internal.run.PlanRun} first. Imports no command.
 */
package dev.levee.jobs.internal.run;

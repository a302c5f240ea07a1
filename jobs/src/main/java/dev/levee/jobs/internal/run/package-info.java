/**
 * Plans, submits, detaches from, and resumes the jobs of runs. Read {@link
 * dev.levee.jobs.internal.run.PlanRun} first. Imports no command.
 */
package dev.levee.jobs.internal.run;

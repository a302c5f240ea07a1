/**
 * Runs {@code levee estimate}: checks data and options, submits the job, follows it. Read {@link
 * dev.levee.jobs.internal.estimate.EstimateRun} first. Scores and learners are in {@code
 * estimation}. Imports no command.
 */
package dev.levee.jobs.internal.estimate;

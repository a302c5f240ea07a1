/**
 * Runs {@code levee estimate}: checks data and options, submits the job, follows it. Read {@link
 * dev.levee.jobs.internal.estimate.EstimateRun} first. Scores and learners are the business of
 * {@code estimation}, which nothing here repeats; commands may not be imported.
 */
package dev.levee.jobs.internal.estimate;

/**
 * Entry points: the command line ({@link dev.levee.jobs.Levee}) and the jobs that {@code flink run}
 * starts.
 */
package dev.levee.jobs;

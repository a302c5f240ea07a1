/**
 * Runs whose workers are outside the job, with topics that no crash takes back. Read {@link
 * dev.levee.operators.testing.served.ServedRun} first.
 */
package dev.levee.operators.testing.served;

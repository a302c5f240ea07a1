/**
 * The places of workers and devices: inside the job, or in processes outside it. Read {@link
 * dev.levee.jobs.internal.run.place.WorkerPlace} first.
 */
package dev.levee.jobs.internal.run.place;

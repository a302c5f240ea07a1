/**
 * Where workers and devices are: inside the job or outside it, and the process that they are there.
 * Read {@link dev.levee.jobs.internal.run.place.WorkerPlace} first.
 */
package dev.levee.jobs.internal.run.place;

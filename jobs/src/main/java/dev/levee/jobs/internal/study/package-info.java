/**
 * Studies: many small trainings as one bounded job. A {@link dev.levee.jobs.internal.study.Study}
 * is read from a file and makes {@link dev.levee.jobs.internal.study.Cell}s; each is run by {@link
 * dev.levee.jobs.internal.study.CellRun} in one slot and leaves a file in the folder of results.
 * Read {@link dev.levee.jobs.internal.study.StudyRun} first. {@code report.study} shows the
 * results.
 */
package dev.levee.jobs.internal.study;

/**
 * Studies: many small trainings as one bounded job. A {@link dev.levee.jobs.internal.study.Study}
 * is read from a file and expands to {@link dev.levee.jobs.internal.study.Cell}s. {@link
 * dev.levee.jobs.internal.study.CellRun} runs each cell in one slot, and its result becomes a file
 * in the output folder. Read {@link dev.levee.jobs.internal.study.StudyRun} first. {@code
 * report.study} shows the results.
 */
package dev.levee.jobs.internal.study;

/**
 * Results of a study: its cells, the choice of learning rate and momentum, and the tables and
 * charts made of them. Read {@link dev.levee.jobs.internal.report.study.CellResult} and {@link
 * dev.levee.jobs.internal.report.study.Choice} first. Trains nothing.
 */
package dev.levee.jobs.internal.report.study;

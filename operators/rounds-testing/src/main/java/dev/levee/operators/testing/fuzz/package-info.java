/**
 * Random trainings, schedules and records, each a function of its seed. Read {@link
 * dev.levee.operators.testing.fuzz.Schedule} first. No other package of this module imports this
 * one.
 */
package dev.levee.operators.testing.fuzz;

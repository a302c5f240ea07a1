/**
 * A list scheduler in virtual time with memory and transfers, its schedules, and their analysis.
 * Read {@link dev.levee.operators.placement.schedule.ListScheduler} first. Only {@code
 * placement.graph} may be imported here.
 */
package dev.levee.operators.placement.schedule;

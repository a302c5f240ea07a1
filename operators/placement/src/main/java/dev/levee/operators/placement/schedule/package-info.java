/**
 * When everything runs: a list scheduler in virtual time with memory and transfers, the schedule
 * that it makes, and what is read from a schedule. Read {@link
 * dev.levee.operators.placement.schedule.ListScheduler} first. Only {@code placement.graph} may be
 * imported here.
 */
package dev.levee.operators.placement.schedule;

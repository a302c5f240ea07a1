/**
 * Pages about predictions: plans, profiles, simulated clusters. Read {@link
 * dev.levee.jobs.internal.report.forecast.SimulationReport} first. Imports only {@code markup}.
 */
package dev.levee.jobs.internal.report.forecast;

/** The settings of federated runs, part by part, and the values that follow from them. */
package dev.levee.jobs.internal.config.federated;

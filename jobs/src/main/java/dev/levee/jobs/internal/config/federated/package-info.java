/** The settings of federated runs, part by part, and what they come to. */
package dev.levee.jobs.internal.config.federated;

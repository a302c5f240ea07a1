/**
 * Clusters that jobs run on: embedded ones, sessions, Kubernetes, the storage tier's. Read {@link
 * dev.levee.jobs.internal.run.cluster.EmbeddedCluster} first.
 */
package dev.levee.jobs.internal.run.cluster;

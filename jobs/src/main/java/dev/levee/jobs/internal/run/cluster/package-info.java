/**
 * The clusters that jobs run on: embedded ones, session clusters, Kubernetes, and that of a storage
 * tier. Read {@link dev.levee.jobs.internal.run.cluster.EmbeddedCluster} first.
 */
package dev.levee.jobs.internal.run.cluster;

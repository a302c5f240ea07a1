/**
 * Local processes for development and tests: a Flink cluster, a Kafka broker, an S3 server. Read
 * {@link dev.levee.jobs.cluster.LocalCluster} first.
 */
package dev.levee.jobs.cluster;

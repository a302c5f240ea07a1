/**
 * Finds the newest version of a model on a topic that is complete, signed, and published by enough
 * servers. Workers use {@link dev.levee.connectors.kafka.versions.ModelReader}; a job starts with
 * {@link dev.levee.connectors.kafka.versions.NewestVersion}. Does not depend on a worker or a job.
 */
package dev.levee.connectors.kafka.versions;

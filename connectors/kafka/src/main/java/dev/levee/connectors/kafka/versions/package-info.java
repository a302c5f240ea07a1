/**
 * Reading of models from a topic: of all records, the newest version that is complete, signed, and
 * published by enough servers. {@link dev.levee.connectors.kafka.versions.ModelReader} is what
 * workers use, {@link dev.levee.connectors.kafka.versions.NewestVersion} what a job starts from.
 * Does not depend on a worker or a job.
 */
package dev.levee.connectors.kafka.versions;

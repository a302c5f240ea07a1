/**
 * Reading of models from a topic: of all records, the newest version that is whole, genuine, and
 * said by enough servers. {@link dev.levee.connectors.kafka.versions.ModelReader} is what workers
 * use, {@link dev.levee.connectors.kafka.versions.NewestVersion} what a job starts from. Nothing
 * here knows a worker or a job.
 */
package dev.levee.connectors.kafka.versions;

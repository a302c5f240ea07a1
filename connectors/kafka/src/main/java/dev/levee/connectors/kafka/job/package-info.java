/**
 * A job's side of Kafka: its topics, the state that it stores there, and how it restarts from them.
 * Read {@link dev.levee.connectors.kafka.job.KafkaSetup} first, which makes the {@link
 * dev.levee.connectors.kafka.job.KafkaEdge} that operators use. Does not depend on a worker.
 */
package dev.levee.connectors.kafka.job;

/**
 * A job's side of Kafka: its topics, the state that it keeps there, and what it finds there when it
 * starts again. Read {@link dev.levee.connectors.kafka.job.KafkaSetup} first, which makes the
 * {@link dev.levee.connectors.kafka.job.KafkaEdge} that operators use. Nothing here knows a worker.
 */
package dev.levee.connectors.kafka.job;

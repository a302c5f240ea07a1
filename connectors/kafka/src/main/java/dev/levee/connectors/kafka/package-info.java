/**
 * The loop edge over Kafka: a topic of models, one of gradients, one of states. The job reads
 * gradients and publishes models; workers are processes outside Flink.
 */
package dev.levee.connectors.kafka;

/**
 * The loop over Kafka: the gate that checks gradients from topics, and the publisher of models.
 * Read {@code Gate} and {@code VersionPublisher} first.
 */
package dev.levee.operators.flink.internal.kafka;

/**
 * Rounds whose gradients come through Kafka: their cost, floods of invalid records, and corrupted
 * frames. Read {@link dev.levee.benchmarks.kafka.KafkaPath} first.
 */
package dev.levee.benchmarks.kafka;

/**
 * The wire format of frames in Kafka: models, gradients and states of a run, each record with a
 * checksum and a signature. docs/reference/wire-format.md describes the same for readers of any
 * language. Depends on neither Kafka nor Flink.
 */
package dev.levee.connectors.kafka.wire;

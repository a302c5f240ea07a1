/**
 * Metrics of a gateway. {@link dev.levee.federated.gateway.metrics.Refusal} lists why it refuses
 * clients, {@link dev.levee.federated.gateway.metrics.GatewayMetrics} has the numbers. Nothing here
 * knows HTTP or Kafka.
 */
package dev.levee.federated.gateway.metrics;

/**
 * Metrics of a gateway. {@link dev.levee.federated.gateway.metrics.Refusal} lists why it refuses
 * clients, {@link dev.levee.federated.gateway.metrics.GatewayMetrics} has the numbers. Does not
 * depend on HTTP or Kafka.
 */
package dev.levee.federated.gateway.metrics;

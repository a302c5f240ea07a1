/**
 * Metrics of a gateway. {@link dev.levee.federated.gateway.metrics.Refusal} lists the reasons for
 * refusing clients, {@link dev.levee.federated.gateway.metrics.GatewayMetrics} has the numbers.
 * This package does not depend on HTTP or Kafka.
 */
package dev.levee.federated.gateway.metrics;

/**
 * Limits per device, per address, and for all clients together. {@link
 * dev.levee.federated.gateway.limit.Limits} has the numbers. Does not depend on HTTP or Kafka; time
 * is handed in.
 */
package dev.levee.federated.gateway.limit;

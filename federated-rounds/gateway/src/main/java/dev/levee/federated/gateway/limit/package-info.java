/**
 * Limits of what a device, an address and all together may use. {@link
 * dev.levee.federated.gateway.limit.Limits} has the numbers. Nothing here knows HTTP or Kafka; time
 * is handed in.
 */
package dev.levee.federated.gateway.limit;

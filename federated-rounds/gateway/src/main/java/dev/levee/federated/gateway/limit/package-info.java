/**
 * Limits per device, per address, and for all clients together. {@link
 * dev.levee.federated.gateway.limit.Limits} has the numbers. This package does not depend on HTTP
 * or Kafka, and receives its clock from outside.
 */
package dev.levee.federated.gateway.limit;

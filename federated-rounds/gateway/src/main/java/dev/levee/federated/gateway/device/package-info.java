/**
 * The device's side of the gateway. {@link dev.levee.federated.gateway.device.GatewayConnection}
 * replaces a Kafka client. This package does not depend on the server.
 */
package dev.levee.federated.gateway.device;

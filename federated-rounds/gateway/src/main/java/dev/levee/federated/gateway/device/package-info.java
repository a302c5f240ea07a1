/**
 * The device's side of the gateway: {@link dev.levee.federated.gateway.device.GatewayConnection}
 * takes the place of a Kafka client. Does not depend on the server.
 */
package dev.levee.federated.gateway.device;

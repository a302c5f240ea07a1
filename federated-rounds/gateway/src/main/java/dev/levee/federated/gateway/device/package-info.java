/**
 * The device's side of the gateway: {@link dev.levee.federated.gateway.device.GatewayConnection}
 * takes the place of a Kafka client. Nothing here knows how the server works.
 */
package dev.levee.federated.gateway.device;

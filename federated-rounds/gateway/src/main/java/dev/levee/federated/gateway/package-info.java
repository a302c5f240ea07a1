/**
 * A gateway between devices and the topics of a run, for devices that reach no broker: frames pass
 * through it as they are, and it keeps nothing itself. {@link dev.levee.federated.gateway.Gateway}
 * is the server, {@link dev.levee.federated.gateway.device.GatewayConnection} the device's side.
 * Does not depend on an engine or an algorithm.
 */
package dev.levee.federated.gateway;

/**
 * A gateway between devices and the topics of a run, for devices that cannot reach a broker. It
 * passes frames on unchanged, and stores nothing itself. {@link
 * dev.levee.federated.gateway.Gateway} is the server, {@link
 * dev.levee.federated.gateway.device.GatewayConnection} the device's side. This package depends on
 * neither an engine nor an algorithm.
 */
package dev.levee.federated.gateway;

/**
 * The gateway's gRPC server. {@link dev.levee.federated.gateway.grpc.GrpcFront} listens, a {@code
 * GrpcConnection} has the state of one connection, {@code GatewayCalls} implements the calls of
 * {@code gateway.proto}. Only this package and the device's side depend on gRPC.
 */
package dev.levee.federated.gateway.grpc;

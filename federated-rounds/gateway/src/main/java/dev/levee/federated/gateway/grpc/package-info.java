/**
 * The gateway's gRPC. {@link dev.levee.federated.gateway.grpc.GrpcFront} listens, a {@code Link}
 * has the state of one connection, {@code GatewayCalls} answers the calls of {@code gateway.proto}.
 * Only this package and the device's side know gRPC.
 */
package dev.levee.federated.gateway.grpc;

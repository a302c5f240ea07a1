/**
 * The services of a gateway, for every protocol: accounts, limits, and the handling of
 * contributions. {@link dev.levee.federated.gateway.service.Service} has the parts that all
 * protocols share. Does not depend on HTTP or gRPC.
 */
package dev.levee.federated.gateway.service;

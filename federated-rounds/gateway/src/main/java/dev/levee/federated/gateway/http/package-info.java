/**
 * The gateway's HTTPS server. {@link dev.levee.federated.gateway.http.HttpFront} listens, a {@code
 * ClientChannel} has the state of one client, {@link dev.levee.federated.gateway.http.Api} maps
 * each request to its answer. Only this package depends on Netty.
 */
package dev.levee.federated.gateway.http;

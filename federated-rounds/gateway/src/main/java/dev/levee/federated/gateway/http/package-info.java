/**
 * The gateway's HTTPS. {@link dev.levee.federated.gateway.http.HttpFront} listens, a {@code
 * ClientChannel} has the state of one client, {@link dev.levee.federated.gateway.http.Api} says
 * which request is answered by what. Only this package knows Netty.
 */
package dev.levee.federated.gateway.http;

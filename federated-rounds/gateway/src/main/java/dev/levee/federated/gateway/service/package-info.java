/**
 * The services of a gateway for all protocols: accounts, limits, and the handling of contributions.
 * {@link dev.levee.federated.gateway.service.Service} has the parts that protocols share. This
 * package does not depend on HTTP or gRPC.
 */
package dev.levee.federated.gateway.service;

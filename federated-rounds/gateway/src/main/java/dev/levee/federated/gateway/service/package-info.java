/**
 * What devices may ask of a gateway, whichever way they come: who they are, what they may use, and
 * what becomes of what they send. {@link dev.levee.federated.gateway.service.Service} has the parts
 * that all ways share. Nothing here knows HTTP or gRPC.
 */
package dev.levee.federated.gateway.service;

/**
 * Accounts of devices: who may use a gateway, by token, by secret or by certificate. Begin with
 * {@link dev.levee.federated.gateway.account.Accounts}, which is what the log of events says;
 * {@link dev.levee.federated.gateway.account.AccountLog} is that log on a topic. Nothing here knows
 * HTTP.
 */
package dev.levee.federated.gateway.account;

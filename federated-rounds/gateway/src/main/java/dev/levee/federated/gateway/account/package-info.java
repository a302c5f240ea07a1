/**
 * Accounts of devices: who may use a gateway, by token, by secret or by certificate. Read {@link
 * dev.levee.federated.gateway.account.Accounts} first, the accounts that follow from the log of
 * events. {@link dev.levee.federated.gateway.account.AccountLog} is that log on a topic. This
 * package does not depend on HTTP.
 */
package dev.levee.federated.gateway.account;

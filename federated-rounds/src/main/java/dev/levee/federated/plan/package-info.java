/**
 * The devices that a round asks and the contributions that it takes, in real or in virtual time,
 * with or without a barrier. Read {@link dev.levee.federated.plan.VirtualTime} and {@link
 * dev.levee.federated.plan.Asynchrony} first. Imports {@code devices}, but no class that creates
 * runs.
 */
package dev.levee.federated.plan;

/**
 * A model for each device, beside or instead of the server's. {@link
 * dev.levee.federated.personal.Personal} is what users write; {@link
 * dev.levee.federated.personal.PersonalRound} is what a device does in a round. Imports no other
 * package of federated rounds.
 */
package dev.levee.federated.personal;

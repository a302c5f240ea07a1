/**
 * A model for each device, in addition to or in place of the server's. Users choose a {@link
 * dev.levee.federated.personal.Personal}; {@link dev.levee.federated.personal.PersonalRound} is a
 * device's part in a round. Imports no other package of federated rounds.
 */
package dev.levee.federated.personal;

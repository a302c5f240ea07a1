/**
 * The devices of a federated run: what they hold, how fast they are, who takes part in a round and
 * how much each counts. Read {@link dev.levee.federated.devices.Participation} first. Imports none
 * of the packages beside it but {@code internal}.
 */
package dev.levee.federated.devices;

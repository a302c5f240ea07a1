/**
 * The devices of a federated run: their samples and speeds, the participants of a round, and their
 * weights. Read {@link dev.levee.federated.devices.Participation} first. Of the sibling packages,
 * it imports only {@code internal}.
 */
package dev.levee.federated.devices;

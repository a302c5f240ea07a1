/**
 * Differential privacy of devices, and its accounting. Read {@link
 * dev.levee.federated.privacy.Privacy} first. Imports {@code devices}.
 */
package dev.levee.federated.privacy;

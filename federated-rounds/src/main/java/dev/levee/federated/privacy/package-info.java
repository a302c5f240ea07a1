/**
 * What is done so that a run says little of one device, and how little that is. Read {@link
 * dev.levee.federated.privacy.Privacy} first. Imports {@code devices}.
 */
package dev.levee.federated.privacy;

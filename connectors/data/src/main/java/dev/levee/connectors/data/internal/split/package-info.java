/**
 * Splits samples: into training and test samples, and among workers. Read {@link
 * dev.levee.connectors.data.internal.split.SampleShares} first. Imports only {@code internal.file}.
 */
package dev.levee.connectors.data.internal.split;

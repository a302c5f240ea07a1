/**
 * Compressed contributions of devices. {@link dev.levee.federated.compression.Compression} is what
 * users write. Imports none of the packages beside it but {@code internal}.
 */
package dev.levee.federated.compression;

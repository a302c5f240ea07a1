/**
 * Compressed contributions of devices. Read {@link dev.levee.federated.compression.Compression}
 * first. Of the sibling packages, it imports only {@code internal}.
 */
package dev.levee.federated.compression;

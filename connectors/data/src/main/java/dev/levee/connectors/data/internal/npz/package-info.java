/**
 * The format {@code npz}: arrays that become tables or pictures. Read {@link
 * dev.levee.connectors.data.internal.npz.NpzSamples} first.
 */
package dev.levee.connectors.data.internal.npz;

/**
 * Data sets of pictures held as one byte per value: CIFAR-10, IDX, folders and packed objects. Read
 * {@link dev.levee.connectors.data.internal.image.ImageFolders} first. Does not depend on tables.
 */
package dev.levee.connectors.data.internal.image;

/**
 * Packs many images into one object, for stores that are slow to open objects and fast to read
 * them.
 */
package dev.levee.connectors.data.packed;

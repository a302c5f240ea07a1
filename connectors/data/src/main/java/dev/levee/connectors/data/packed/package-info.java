/**
 * Images packed many to an object, for stores that are slow to find objects and fast to read them.
 */
package dev.levee.connectors.data.packed;
